// The message format of originals. `TransferTests` fails for a field that is missing here.

extension ImageHeader: MessageRecord {
    package static var fields: some MessageFields<Self> {
        RecordFields(
            Self.init, \.format, \.width, \.height, \.orientation, \.bitDepth, \.colourModel, \.sampling,
            \.isProgressive, \.isMultiScan, \.isLossless, \.hasAlpha, \.frameCount, \.hasICCProfile, \.prefixCodes,
            \.coding, \.extraChannelCount, \.layerBytes, \.profileBytes, \.profileWorkingBytes)
    }
}

extension ImageFormat: MessageValue {}
extension ImageHeader.ColourModel: MessageValue {}
extension Orientation: MessageValue {}

extension ImageHeader.SamplingFactors: MessageRecord {
    package static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.horizontal, \.vertical)
    }
}

extension ImageHeader.PrefixCodes: MessageRecord {
    package static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.groupCount, \.colourCacheBits)
    }
}

extension HEIFCoding: MessageRecord {
    package static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.colours, \.alpha, \.joinedBytes, \.isPlain, \.heldPictures, \.tileCount)
    }
}

extension HEIFCoding.Cells: MessageRecord {
    package static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.width, \.height, \.columns, \.rows, \.bitDepth, \.chromaShare)
    }
}

extension CodecLimits: MessageRecord {
    package static var fields: some MessageFields<Self> {
        RecordFields(
            replacing: CodecLimits(), \.maxBytes, \.maxWidth, \.maxHeight, \.maxPixels, \.maxFrames, \.maxScans,
            \.maxChunkBytes, \.maxChunks, \.maxPrefixCodeGroups, \.maxGridCells, \.maxItems, \.maxCodedUnits,
            \.maxCodedPictures, \.maxExtraChannels, \.maxLayers, \.maxProfileBytes, \.maxWorkingBytes,
            \.maxCPUNanoseconds, \.inputFormats)
    }
}
