/// The codec of a file's pictures. Files of HEIF with pictures of another codec than their brand's are not decoded.
enum ItemCodec: Hashable, Sendable {
    case av1, hevc

    init(_ format: ImageFormat) {
        self = format == .heic ? .hevc : .av1
    }

    var format: ImageFormat { self == .hevc ? .heic : .avif }
    /// The kind of coded items, and of a track's samples.
    var itemKind: ISOBox.Kind { self == .hevc ? "hvc1" : "av01" }
    var name: String { self == .hevc ? "HEVC" : "AV1" }
}

/// The configuration of an item's decoder, from its properties.
enum ItemConfiguration: Hashable {
    case av1(SampleFormat)
    case hevc(HEVCConfiguration)

    /// Reads the content of an item's property.
    init(_ fields: inout ISOFields, in bytes: UnsafeRawBufferPointer, codec: ItemCodec) throws(CodecError) {
        switch codec {
        case .av1: self = .av1(try SampleFormat(&fields))
        case .hevc: self = .hevc(try HEVCConfiguration(&fields, in: bytes))
        }
    }

    var samples: SampleFormat {
        switch self {
        case .av1(let samples): samples
        case .hevc(let configuration): configuration.sequence.samples
        }
    }
}

/// The form of a coded picture's samples.
struct SampleFormat: Hashable {
    let bitDepth: Int
    let isMonochrome: Bool
    /// Whether chroma has half the size along rows, and along columns.
    let halvesAcross, halvesDown: Bool
}
