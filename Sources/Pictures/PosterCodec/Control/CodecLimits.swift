/// Limits of originals and renders. Headers are checked against them before memory for pixels is allocated.
public struct CodecLimits: Hashable, Sendable {
    /// The names of the limits in error messages.
    public enum Name: String, Hashable, Sendable {
        case bytes
        case width = "width in pixels"
        case height = "height in pixels"
        case pixels
        case frames
        case scans
        case chunkBytes = "bytes in one PNG chunk beside the picture's"
        case chunks
        case prefixCodeGroups = "prefix-code groups"
        case gridCells = "cells of a grid"
        case items
        case itemProperties = "properties of items"
        case itemReferences = "references between items"
        case codedUnits = "coded units in one item"
        case codedPictures = "coded pictures in one item"
        case extraChannels = "extra channels"
        case layers
        case profileBytes = "ICC profile bytes"
        case workingMemory = "working memory in bytes"
        case cpuTime = "CPU time in milliseconds"
    }

    /// Maximum file size in bytes; 64 MiB by default.
    public var maxBytes = 64 << 20
    /// Maximum length of an original's stored rows, in pixels; 65,500 by default, which is libjpeg's own limit.
    public var maxWidth = 65_500
    /// Maximum number of an original's rows; 65,500 by default, which is libjpeg's own limit.
    public var maxHeight = 65_500
    /// Maximum width × height of an original, in pixels; 100 million by default.
    public var maxPixels = 100_000_000
    /// Maximum number of frames of an animation; 10,000 by default. Only the first is decoded.
    public var maxFrames = 10_000
    /// Maximum number of scans of a JPEG; 100 by default. Encoders write about ten.
    public var maxScans = 100
    /// Maximum size of a PNG chunk that is not picture data, in bytes; 8 MiB by default.
    public var maxChunkBytes = 8 << 20
    /// Maximum number of chunks of a PNG or WebP (including picture data), of blocks of a GIF, and of sibling boxes of
    /// an AVIF, HEIC or JPEG XL; 100,000 by default.
    public var maxChunks = 100_000
    /// Maximum number of prefix-code groups of lossless WebP data; 4096 by default. libwebp's encoder writes at most
    /// 2600.
    public var maxPrefixCodeGroups = 4096
    /// Maximum number of cells of the grid of an AVIF or HEIC; 256 by default.
    public var maxGridCells = 256
    /// Maximum number of items of an AVIF or HEIC (cells, their alpha, metadata), and of their properties; 1024 by
    /// default.
    public var maxItems = 1024
    /// Maximum number of units of AV1 or HEVC in one item; 1024 by default. Each tile or slice may be a unit.
    public var maxCodedUnits = 1024
    /// Maximum number of AV1 pictures in one item; 8 by default. An item with layers has several, as alternatives.
    public var maxCodedPictures = 8
    /// Maximum number of channels beside gray or RGB in a JPEG XL, alpha included; 4 by default.
    public var maxExtraChannels = 4
    /// Maximum number of layers that make up a JPEG XL's picture, with the frames that they refer to; 256 by
    /// default. The own encoder writes a layer for each million pixels.
    public var maxLayers = 256
    /// Maximum size of an ICC profile, uncompressed, in bytes; 4 MiB by default.
    public var maxProfileBytes = 4 << 20
    /// Maximum memory of one render, excluding the original's bytes, in bytes as estimated from the header; 256 MiB by
    /// default.
    public var maxWorkingBytes = 256 << 20
    /// Maximum CPU time of one render, in nanoseconds; 5 s by default.
    public var maxCPUNanoseconds: UInt64 = 5_000_000_000
    /// The formats that are decoded; all by default.
    public var inputFormats = ImageFormat.decoded
    /// Minimum side in a request, in pixels.
    public static let minTargetSide = 16
    /// Maximum side of a target in pixels, with the device pixel ratio applied.
    public static let maxTargetSide = 4096
    /// Maximum side of a rendered picture, in pixels.
    public static let maxRenderedSide = 8192
    /// Maximum number of pixels of a rendered picture.
    public static let maxRenderedPixels = 32_000_000

    /// The default limits.
    public init() {}

    static func check(_ name: Name, _ value: Int, atMost limit: Int) throws(CodecError) {
        guard value <= limit else { throw .overLimit(name, value: value, limit: limit) }
    }

    /// Throws ``CodecError/overLimit(_:value:limit:)`` for an ICC profile of more than ``maxProfileBytes``.
    func check(profileBytes count: Int) throws(CodecError) {
        try Self.check(.profileBytes, count, atMost: self.maxProfileBytes)
    }
}
