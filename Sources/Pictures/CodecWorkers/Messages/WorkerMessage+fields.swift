import PosterCodec

// The encoding of messages; see `MessageValue`.

extension InputRecord: MessageRecord {
    static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.offset, \.byteCount, \.isMemory)
    }
}

extension DecodeRequest: MessageRecord {
    static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.input, \.job, \.limits)
    }
}

extension PlanesRequest: MessageRecord {
    static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.planes, \.job, \.limits)
    }
}

extension EncodeRequest: MessageRecord {
    static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.picture, \.job, \.limits, \.byteCount)
    }
}

extension HashRequest: MessageRecord {
    static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.input, \.header, \.limits)
    }
}

extension ArrivingRequest: MessageRecord {
    static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.byteCount, \.job, \.limits)
    }
}

extension StepRequest: MessageRecord {
    static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.groupLimit)
    }
}

extension WorkerUsage: MessageRecord {
    static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.cpuNanoseconds, \.heapBytes)
    }
}

extension HelloReply: MessageRecord {
    static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.seccompError, \.landlockVersion, \.hasNoNewPrivileges, \.dataBytes, \.spaceBytes)
    }
}

extension DecodedReply: MessageRecord {
    static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.usage, \.decode, \.resample, \.pictures, \.planes)
    }
}

extension EncodedReply: MessageRecord {
    static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.usage, \.byteCount, \.encode)
    }
}

extension HashedReply: MessageRecord {
    static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.usage, \.dominantColour, \.thumbHash, \.blurHash)
    }
}

extension SteppedReply: MessageRecord {
    static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.usage, \.hasArrived)
    }
}

extension FailedReply: MessageRecord {
    static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.usage, \.error)
    }
}

extension EndRequest: MessageValue {
    func write(to message: inout MessageWriter) {}

    init(from message: inout MessageReader) {}
}

extension ErrorRecord: MessageRecord {
    static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.kind, \.text, \.value, \.limit)
    }
}

extension ErrorRecord.Kind: MessageValue {}
