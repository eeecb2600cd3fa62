// The message format of pictures and planes. `TransferTests` fails for a field that is missing here.

extension PictureRecord: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.index)
        message.write(self.isShared)
        message.write(self.decode)
        message.write(self.resample)
        message.write(self.encode)
        message.write(self.kind)
        message.write(self.shapes)
        message.write(self.offset)
        message.write(self.byteCount)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.index = try message.read()
        self.isShared = try message.read()
        self.decode = try message.read()
        self.resample = try message.read()
        self.encode = try message.read()
        self.kind = try message.read()
        self.shapes = try message.read()
        self.offset = try message.read()
        self.byteCount = try message.read()
    }
}

extension PictureRecord.Kind: MessageValue {}

extension PictureRecord.Shape: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.width)
        message.write(self.height)
        message.write(self.channels)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.width = try message.read()
        self.height = try message.read()
        self.channels = try message.read()
    }
}

extension PlanesRecord: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.shapes)
        message.write(self.levels)
        message.write(self.groupCount)
        message.write(self.colour)
        message.write(self.matrix)
        message.write(self.isLimitedRange)
        message.write(self.hasAlpha)
        message.write(self.effort)
        message.write(self.convertsColours)
        message.write(self.chromaticities)
        message.write(self.curve)
        message.write(self.peak)
        message.write(self.decodeNanoseconds)
        message.write(self.byteCount)
        message.write(self.profileByteCount)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.shapes = try message.read()
        self.levels = try message.read()
        self.groupCount = try message.read()
        self.colour = try message.read()
        self.matrix = try message.read()
        self.isLimitedRange = try message.read()
        self.hasAlpha = try message.read()
        self.effort = try message.read()
        self.convertsColours = try message.read()
        self.chromaticities = try message.read()
        self.curve = try message.read()
        self.peak = try message.read()
        self.decodeNanoseconds = try message.read()
        self.byteCount = try message.read()
        self.profileByteCount = try message.read()
    }
}

extension PlanesRecord.Colour: MessageValue {}
extension PlanesRecord.Matrix: MessageValue {}
extension PlanesRecord.Curve: MessageValue {}

extension PlanesRecord.Shape: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.width)
        message.write(self.height)
        message.write(self.rowBytes)
        message.write(self.rowsPerGroup)
        message.write(self.across)
        message.write(self.down)
        message.write(self.scale)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.width = try message.read()
        self.height = try message.read()
        self.rowBytes = try message.read()
        self.rowsPerGroup = try message.read()
        self.across = try message.read()
        self.down = try message.read()
        self.scale = try message.read()
    }
}
