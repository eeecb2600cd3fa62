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

extension RenderJob.Target: MessageRecord {
    package static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.target, \.urgency)
    }
}

extension EncodingEffort: MessageValue {}

extension DecodeScale: MessageRecord {
    package static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.numerator, \.denominator)
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

extension RenderTarget: MessageRecord {
    package static var fields: some MessageFields<Self> {
        RecordFields(
            replacing: RenderTarget(format: .jpeg), \.width, \.height, \.fit, \.position, \.format, \.quality,
            \.background, \.effort, \.effect, \.badges)
    }
}

extension Quality: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .fixed(let number):
            message.write(UInt8(0))
            message.write(number)
        case .likeness(let likeness):
            message.write(UInt8(1))
            message.write(likeness)
        }
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        switch try message.read(UInt8.self) {
        case 0: self = .fixed(try message.read())
        case 1: self = .likeness(try message.read())
        default: throw MalformedMessage()
        }
    }
}

extension Likeness: MessageValue {}
extension RenderTarget.Fit: MessageValue {}
extension RenderTarget.Position: MessageValue {}
extension RenderTarget.Effort: MessageValue {}
extension OutputFormat: MessageValue {}

extension RenderTarget.Background: MessageRecord {
    package static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.red, \.green, \.blue)
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
