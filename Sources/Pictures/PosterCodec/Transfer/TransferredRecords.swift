// The message format of pictures and planes. `TransferTests` fails for a field that is missing here.

extension PictureRecord: MessageRecord {
    package static var fields: some MessageFields<Self> {
        RecordFields(
            replacing: PictureRecord(index: 0, kind: .file, shapes: [], offset: 0, byteCount: 0), \.index, \.isShared,
            \.decode, \.resample, \.encode, \.kind, \.shapes, \.offset, \.byteCount)
    }
}

extension PictureRecord.Kind: MessageValue {}

extension PictureRecord.Shape: MessageRecord {
    package static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.width, \.height, \.channels)
    }
}

extension PlanesRecord: MessageRecord {
    package static var fields: some MessageFields<Self> {
        RecordFields(
            Self.init, \.shapes, \.levels, \.groupCount, \.colour, \.matrix, \.isLimitedRange, \.hasAlpha, \.effort,
            \.convertsColours, \.chromaticities, \.curve, \.curveValue, \.decodeNanoseconds, \.byteCount,
            \.profileByteCount)
    }
}

extension PlanesRecord.Colour: MessageValue {}
extension PlanesRecord.Matrix: MessageValue {}
extension PlanesRecord.Curve: MessageValue {}

extension PlanesRecord.Shape: MessageRecord {
    package static var fields: some MessageFields<Self> {
        RecordFields(Self.init, \.width, \.height, \.rowBytes, \.rowsPerGroup, \.across, \.down, \.scale)
    }
}
