/// The limits of originals and renders. Headers are checked against them before memory for pixels is allocated.
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
        case codedUnits = "AV1 units in one item"
        case codedPictures = "AV1 pictures in one item"
        case profileBytes = "ICC profile bytes"
        case workingMemory = "working memory in bytes"
        case cpuTime = "CPU time in milliseconds"
    }

    /// The largest file, in bytes. 64 MiB by default.
    public var maxBytes = 64 << 20
    /// The longest stored row of an original, in pixels. 65,500 by default, which is libjpeg's own limit.
    public var maxWidth = 65_500
    /// The most rows of an original. 65,500 by default, which is libjpeg's own limit.
    public var maxHeight = 65_500
    /// The largest width × height of an original, in pixels. 100 million by default.
    public var maxPixels = 100_000_000
    /// The most frames of an animation, of which only the first is decoded. 10,000 by default.
    public var maxFrames = 10_000
    /// The most scans that a JPEG may have. 100 by default; encoders write about ten.
    public var maxScans = 100
    /// The largest chunk of a PNG that is not picture data, in bytes. 8 MiB by default.
    public var maxChunkBytes = 8 << 20
    /// The most chunks of a PNG or WebP, those of picture data included, blocks of a GIF, and boxes of an AVIF beside each
    /// other. 100,000 by default.
    public var maxChunks = 100_000
    /// The most prefix-code groups of lossless WebP data. 4096 by default; libwebp's encoder writes at most 2600.
    public var maxPrefixCodeGroups = 4096
    /// The most cells of an AVIF's grid. 256 by default.
    public var maxGridCells = 256
    /// The most items of an AVIF (cells, their alpha, metadata), and the most of their properties. 1024 by default.
    public var maxItems = 1024
    /// The most units of AV1 data in one item. 1024 by default; each tile of a picture may be one.
    public var maxCodedUnits = 1024
    /// The most AV1 pictures in one item, of which layers are shown one instead of the other. 8 by default.
    public var maxCodedPictures = 8
    /// The largest ICC profile, uncompressed, in bytes. 4 MiB by default.
    public var maxProfileBytes = 4 << 20
    /// The most memory of one render beside the original's bytes, in bytes, as estimated from the header. 256 MiB by
    /// default.
    public var maxWorkingBytes = 256 << 20
    /// The most CPU time of one render, in nanoseconds. 5 s by default.
    public var maxCPUNanoseconds: UInt64 = 5_000_000_000
    /// The shortest side that a request may name, in pixels.
    public static let minTargetSide = 16
    /// The longest side of a target in pixels, with the device pixel ratio applied.
    public static let maxTargetSide = 4096
    /// The longest side of a rendered picture, in pixels.
    public static let maxRenderedSide = 8192
    /// The most pixels of a rendered picture.
    public static let maxRenderedPixels = 32_000_000

    /// The default limits.
    public init() {}

    /// Throws ``CodecError/overLimit(_:value:limit:)`` when `value` is greater than `limit`.
    static func check(_ name: Name, _ value: Int, atMost limit: Int) throws(CodecError) {
        guard value <= limit else { throw .overLimit(name, value: value, limit: limit) }
    }

    /// Throws ``CodecError/overLimit(_:value:limit:)`` for an ICC profile of more than ``maxProfileBytes``.
    func check(profileBytes count: Int) throws(CodecError) {
        try Self.check(.profileBytes, count, atMost: self.maxProfileBytes)
    }
}
