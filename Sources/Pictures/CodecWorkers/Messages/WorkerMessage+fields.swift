import PosterCodec

// The encoding of messages; see `MessageValue`.

extension InputRecord: MessageValue {
    func write(to message: inout MessageWriter) {
        message.write(self.offset)
        message.write(self.byteCount)
        message.write(self.isMemory)
    }

    init(from message: inout MessageReader) throws(MalformedMessage) {
        self.offset = try message.read()
        self.byteCount = try message.read()
        self.isMemory = try message.read()
    }
}

extension DecodeRequest: MessageValue {
    func write(to message: inout MessageWriter) {
        message.write(self.input)
        message.write(self.job)
        message.write(self.limits)
    }

    init(from message: inout MessageReader) throws(MalformedMessage) {
        self.input = try message.read()
        self.job = try message.read()
        self.limits = try message.read()
    }
}

extension PlanesRequest: MessageValue {
    func write(to message: inout MessageWriter) {
        message.write(self.planes)
        message.write(self.job)
        message.write(self.limits)
    }

    init(from message: inout MessageReader) throws(MalformedMessage) {
        self.planes = try message.read()
        self.job = try message.read()
        self.limits = try message.read()
    }
}

extension EncodeRequest: MessageValue {
    func write(to message: inout MessageWriter) {
        message.write(self.picture)
        message.write(self.job)
        message.write(self.limits)
        message.write(self.byteCount)
    }

    init(from message: inout MessageReader) throws(MalformedMessage) {
        self.picture = try message.read()
        self.job = try message.read()
        self.limits = try message.read()
        self.byteCount = try message.read()
    }
}

extension HashRequest: MessageValue {
    func write(to message: inout MessageWriter) {
        message.write(self.input)
        message.write(self.header)
        message.write(self.limits)
    }

    init(from message: inout MessageReader) throws(MalformedMessage) {
        self.input = try message.read()
        self.header = try message.read()
        self.limits = try message.read()
    }
}

extension ArrivingRequest: MessageValue {
    func write(to message: inout MessageWriter) {
        message.write(self.byteCount)
        message.write(self.job)
        message.write(self.limits)
    }

    init(from message: inout MessageReader) throws(MalformedMessage) {
        self.byteCount = try message.read()
        self.job = try message.read()
        self.limits = try message.read()
    }
}

extension StepRequest: MessageValue {
    func write(to message: inout MessageWriter) {
        message.write(self.groupLimit)
    }

    init(from message: inout MessageReader) throws(MalformedMessage) {
        self.groupLimit = try message.read()
    }
}

extension WorkerUsage: MessageValue {
    func write(to message: inout MessageWriter) {
        message.write(self.cpuNanoseconds)
        message.write(self.heapBytes)
    }

    init(from message: inout MessageReader) throws(MalformedMessage) {
        self.cpuNanoseconds = try message.read()
        self.heapBytes = try message.read()
    }
}

extension HelloReply: MessageValue {
    func write(to message: inout MessageWriter) {
        message.write(self.seccompError)
        message.write(self.landlockVersion)
        message.write(self.hasNoNewPrivileges)
        message.write(self.dataBytes)
        message.write(self.spaceBytes)
    }

    init(from message: inout MessageReader) throws(MalformedMessage) {
        self.seccompError = try message.read()
        self.landlockVersion = try message.read()
        self.hasNoNewPrivileges = try message.read()
        self.dataBytes = try message.read()
        self.spaceBytes = try message.read()
    }
}

extension DecodedReply: MessageValue {
    func write(to message: inout MessageWriter) {
        message.write(self.usage)
        message.write(self.decode)
        message.write(self.resample)
        message.write(self.pictures)
        message.write(self.planes)
    }

    init(from message: inout MessageReader) throws(MalformedMessage) {
        self.usage = try message.read()
        self.decode = try message.read()
        self.resample = try message.read()
        self.pictures = try message.read()
        self.planes = try message.read()
    }
}

extension EncodedReply: MessageValue {
    func write(to message: inout MessageWriter) {
        message.write(self.usage)
        message.write(self.byteCount)
        message.write(self.encode)
    }

    init(from message: inout MessageReader) throws(MalformedMessage) {
        self.usage = try message.read()
        self.byteCount = try message.read()
        self.encode = try message.read()
    }
}

extension HashedReply: MessageValue {
    func write(to message: inout MessageWriter) {
        message.write(self.usage)
        message.write(self.dominantColour)
        message.write(self.thumbHash)
        message.write(self.blurHash)
    }

    init(from message: inout MessageReader) throws(MalformedMessage) {
        self.usage = try message.read()
        self.dominantColour = try message.read()
        self.thumbHash = try message.read()
        self.blurHash = try message.read()
    }
}

extension SteppedReply: MessageValue {
    func write(to message: inout MessageWriter) {
        message.write(self.usage)
        message.write(self.hasArrived)
    }

    init(from message: inout MessageReader) throws(MalformedMessage) {
        self.usage = try message.read()
        self.hasArrived = try message.read()
    }
}

extension FailedReply: MessageValue {
    func write(to message: inout MessageWriter) {
        message.write(self.usage)
        message.write(self.error)
    }

    init(from message: inout MessageReader) throws(MalformedMessage) {
        self.usage = try message.read()
        self.error = try message.read()
    }
}

extension EndRequest: MessageValue {
    func write(to message: inout MessageWriter) {}

    init(from message: inout MessageReader) {}
}

extension ErrorRecord: MessageValue {
    func write(to message: inout MessageWriter) {
        message.write(self.kind)
        message.write(self.text)
        message.write(self.value)
        message.write(self.limit)
    }

    init(from message: inout MessageReader) throws(MalformedMessage) {
        self.kind = try message.read()
        self.text = try message.read()
        self.value = try message.read()
        self.limit = try message.read()
    }
}

extension ErrorRecord.Kind: MessageValue {}
