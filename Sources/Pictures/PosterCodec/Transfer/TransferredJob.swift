// The message format of jobs. `TransferTests` fails for a field that is missing here.

extension RenderJob: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.source)
        message.write(self.byteCount)
        message.write(self.targets)
        message.write(self.scale)
        message.write(self.encoding)
        message.write(self.retention)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.source = try message.read()
        self.byteCount = try message.read()
        self.targets = try message.read()
        self.scale = try message.read()
        self.encoding = try message.read()
        self.retention = try message.read()
    }
}

extension RenderJob.Target: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.target)
        message.write(self.urgency)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.target = try message.read()
        self.urgency = try message.read()
    }
}

extension EncodingEffort: MessageValue {}

extension DecodeScale: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.numerator)
        message.write(self.denominator)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.numerator = try message.read()
        self.denominator = try message.read()
    }
}

extension PlaneRetention: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.servedWidth)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.servedWidth = try message.read()
    }
}

extension RenderTarget: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.width)
        message.write(self.height)
        message.write(self.fit)
        message.write(self.position)
        message.write(self.format)
        message.write(self.quality)
        message.write(self.background)
        message.write(self.effort)
        message.write(self.effect)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.width = try message.read()
        self.height = try message.read()
        self.fit = try message.read()
        self.position = try message.read()
        self.format = try message.read()
        self.quality = try message.read()
        self.background = try message.read()
        self.effort = try message.read()
        self.effect = try message.read()
    }
}

extension RenderTarget.Fit: MessageValue {}
extension RenderTarget.Position: MessageValue {}
extension RenderTarget.Effort: MessageValue {}
extension OutputFormat: MessageValue {}

extension RenderTarget.Background: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.red)
        message.write(self.green)
        message.write(self.blue)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.red = try message.read()
        self.green = try message.read()
        self.blue = try message.read()
    }
}

extension RenderTarget.Effect: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .blur: message.write(UInt8(0))
        case .duotone(let dark, let light):
            message.write(UInt8(1))
            message.write(dark)
            message.write(light)
        }
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        switch try message.read(UInt8.self) {
        case 0: self = .blur
        case 1: self = .duotone(dark: try message.read(), light: try message.read())
        default: throw MalformedMessage()
        }
    }
}
