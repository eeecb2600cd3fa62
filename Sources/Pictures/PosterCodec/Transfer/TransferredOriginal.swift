// The message format of originals. `TransferTests` fails for a field that is missing here.

extension ImageHeader: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.format)
        message.write(self.width)
        message.write(self.height)
        message.write(self.orientation)
        message.write(self.bitDepth)
        message.write(self.colourModel)
        message.write(self.sampling)
        message.write(self.isProgressive)
        message.write(self.isMultiScan)
        message.write(self.isLossless)
        message.write(self.hasAlpha)
        message.write(self.frameCount)
        message.write(self.hasICCProfile)
        message.write(self.prefixCodes)
        message.write(self.coding)
        message.write(self.profileBytes)
        message.write(self.profileWorkingBytes)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.format = try message.read()
        self.width = try message.read()
        self.height = try message.read()
        self.orientation = try message.read()
        self.bitDepth = try message.read()
        self.colourModel = try message.read()
        self.sampling = try message.read()
        self.isProgressive = try message.read()
        self.isMultiScan = try message.read()
        self.isLossless = try message.read()
        self.hasAlpha = try message.read()
        self.frameCount = try message.read()
        self.hasICCProfile = try message.read()
        self.prefixCodes = try message.read()
        self.coding = try message.read()
        self.profileBytes = try message.read()
        self.profileWorkingBytes = try message.read()
    }
}

extension ImageFormat: MessageValue {}
extension ImageHeader.ColourModel: MessageValue {}
extension Orientation: MessageValue {}

extension ImageHeader.SamplingFactors: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.horizontal)
        message.write(self.vertical)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.horizontal = try message.read()
        self.vertical = try message.read()
    }
}

extension ImageHeader.PrefixCodes: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.groupCount)
        message.write(self.colourCacheBits)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.groupCount = try message.read()
        self.colourCacheBits = try message.read()
    }
}

extension AV1Coding: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.colours)
        message.write(self.alpha)
        message.write(self.joinedBytes)
        message.write(self.isPlain)
        message.write(self.heldPictures)
        message.write(self.tileCount)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.colours = try message.read()
        self.alpha = try message.read()
        self.joinedBytes = try message.read()
        self.isPlain = try message.read()
        self.heldPictures = try message.read()
        self.tileCount = try message.read()
    }
}

extension AV1Coding.Cells: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.width)
        message.write(self.height)
        message.write(self.columns)
        message.write(self.rows)
        message.write(self.bitDepth)
        message.write(self.chromaShare)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.width = try message.read()
        self.height = try message.read()
        self.columns = try message.read()
        self.rows = try message.read()
        self.bitDepth = try message.read()
        self.chromaShare = try message.read()
    }
}

extension CodecLimits: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.maxBytes)
        message.write(self.maxWidth)
        message.write(self.maxHeight)
        message.write(self.maxPixels)
        message.write(self.maxFrames)
        message.write(self.maxScans)
        message.write(self.maxChunkBytes)
        message.write(self.maxChunks)
        message.write(self.maxPrefixCodeGroups)
        message.write(self.maxGridCells)
        message.write(self.maxItems)
        message.write(self.maxCodedUnits)
        message.write(self.maxCodedPictures)
        message.write(self.maxProfileBytes)
        message.write(self.maxWorkingBytes)
        message.write(self.maxCPUNanoseconds)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.maxBytes = try message.read()
        self.maxWidth = try message.read()
        self.maxHeight = try message.read()
        self.maxPixels = try message.read()
        self.maxFrames = try message.read()
        self.maxScans = try message.read()
        self.maxChunkBytes = try message.read()
        self.maxChunks = try message.read()
        self.maxPrefixCodeGroups = try message.read()
        self.maxGridCells = try message.read()
        self.maxItems = try message.read()
        self.maxCodedUnits = try message.read()
        self.maxCodedPictures = try message.read()
        self.maxProfileBytes = try message.read()
        self.maxWorkingBytes = try message.read()
        self.maxCPUNanoseconds = try message.read()
    }
}
