/// Reads the header of a JPEG (ITU-T T.81, annex B), incrementally, without decoding. Borrows the file's beginning.
struct JPEGParser {
    private var segments: JPEGSegments
    /// The state, from which parsing resumes with more bytes of the same file.
    private(set) var progress: Progress

    struct Progress: Sendable {
        /// The offset at which the next marker is searched.
        fileprivate(set) var offset = 2  // after SOI
        fileprivate var colourMarkers = JPEGColourMarkers()
        fileprivate var frame: JPEGFrame?
        fileprivate var orientation: Orientation?
        fileprivate var profile = JPEGProfileSegments()
    }

    init(_ bytes: UnsafeRawBufferPointer, resuming progress: Progress = .init()) {
        self.segments = JPEGSegments(bytes, from: progress.offset)
        self.progress = progress
    }

    /// Reads up to the first scan; its header shows whether one scan contains all components.
    mutating func header() throws(CodecError) -> ProbeResult {
        while true {
            let step = try self.segments.next()
            self.progress.offset = self.segments.offset
            switch step {
            case .needsMoreBytes(let count): return .needsMoreBytes(atLeast: count)
            case .endOfImage: throw .damaged(reason: "the JPEG ends without a picture")
            case .segment(let segment):
                switch segment.marker {
                case 0xE0...0xEF: self.noteApplicationData(segment)
                case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                    guard self.progress.frame == nil else { throw .unsupported("hierarchical JPEG") }
                    self.progress.frame = try JPEGFrame(
                        marker: segment.marker, payload: self.segments.payload(of: segment))
                case 0xDA:
                    guard let frame = self.progress.frame else {
                        throw .damaged(reason: "a JPEG scan before the frame header")
                    }
                    let inScan = segment.payload.isEmpty ? 0 : Int(self.segments.bytes[segment.payload.lowerBound])
                    return .header(self.header(of: frame, componentsInFirstScan: inScan))
                default: break
                }
            }
        }
    }

    /// Counts the scans up to the end of the image.
    mutating func scanCount() throws(CodecError) -> Int {
        var scans = 0
        while true {
            switch try self.segments.next() {
            case .needsMoreBytes: throw .truncated
            case .endOfImage: return scans
            case .segment(let segment) where segment.marker == 0xDA:
                scans += 1
                guard self.segments.skipEntropyCodedData() else { throw .truncated }
            case .segment: break
            }
        }
    }

    private func header(of frame: JPEGFrame, componentsInFirstScan: Int) -> ImageHeader {
        var header = ImageHeader(
            format: .jpeg, width: frame.width, height: frame.height, orientation: self.progress.orientation ?? .upright,
            bitDepth: frame.precision, colourModel: self.progress.colourMarkers.colourModel(of: frame),
            sampling: frame.components.map(\.sampling), isProgressive: frame.isProgressive,
            isMultiScan: frame.isProgressive || componentsInFirstScan < frame.components.count,
            hasICCProfile: self.progress.profile.isPresent)
        if let ranges = self.progress.profile.ranges {
            header.noteProfile(
                prefix: ranges.bytes(of: self.segments.bytes, limit: ICCTagTable.maxLength),
                byteCount: ranges.byteCount)
        }
        return header
    }

    private mutating func noteApplicationData(_ segment: JPEGSegments.Segment) {
        let payload = self.segments.payload(of: segment)
        let start = FilePrefix(payload)
        switch segment.marker {
        case 0xE0 where start.has("JFIF\0") && payload.count >= 14: self.progress.colourMarkers.hasJFIF = true
        case 0xE1 where start.has("Exif\0\0") && self.progress.orientation == nil:
            self.progress.orientation = EXIF.orientation(in: UnsafeRawBufferPointer(rebasing: payload.dropFirst(6)))
        case 0xE2: self.progress.profile.note(payload, at: segment.payload)
        case 0xEE where start.has("Adobe") && payload.count >= 12:
            self.progress.colourMarkers.adobeTransform = payload[11]
        default: break
        }
    }
}

/// The application segments by which libjpeg decides the colour model; JPEG itself does not declare it.
struct JPEGColourMarkers {
    var hasJFIF = false
    /// The transform of Adobe's APP14 segment: 0 none, 1 Y'CbCr, 2 YCCK.
    var adobeTransform: UInt8?

    func colourModel(of frame: JPEGFrame) -> ImageHeader.ColourModel {
        switch frame.components.count {
        case 1: return .gray
        case 3:
            if self.hasJFIF { return .yCbCr }
            if let transform = self.adobeTransform { return transform == 0 ? .rgb : .yCbCr }
            return frame.components.map(\.id) == Array("RGB".utf8) ? .rgb : .yCbCr
        default: return self.adobeTransform ?? 0 == 0 ? .cmyk : .ycck
        }
    }
}

/// The segments of a JPEG that an ICC profile is split into (ICC.1:2010, B.4).
struct JPEGProfileSegments {
    private static let signature = "ICC_PROFILE\0"
    /// The length of the signature, the part's number and the number of parts.
    private static let headLength = 14

    /// The ranges of the parts in the file, by their numbers.
    private var parts: [UInt8: Range<Int>] = [:]
    private var count: UInt8?
    /// Whether a part occurs twice, or parts disagree on their number.
    private var isContradictory = false
    /// Whether there is any profile segment.
    private(set) var isPresent = false

    /// Records the part of a profile in an APP2 segment, if there is one; `range` is the payload's range in the file.
    mutating func note(_ payload: UnsafeRawBufferPointer, at range: Range<Int>) {
        guard FilePrefix(payload).has(Self.signature) else { return }
        self.isPresent = true
        guard payload.count > Self.headLength else { return }
        let (number, count) = (payload[12], payload[13])
        if self.parts[number] != nil || self.count ?? count != count { self.isContradictory = true }
        self.count = count
        self.parts[number] = range.dropFirst(Self.headLength)
    }

    /// The ranges of the profile in the file, in order; `nil` if the parts are not a complete profile, which is then
    /// ignored, as by browsers.
    var ranges: [Range<Int>]? {
        guard !self.isContradictory, let count, count > 0, self.parts.count == Int(count) else { return nil }
        let ranges = (1...count).compactMap { self.parts[$0] }
        return ranges.count == Int(count) ? ranges : nil
    }
}

extension [Range<Int>] {
    var byteCount: Int { self.reduce(0) { $0 + $1.count } }

    /// The bytes of `file` in these ranges, the first `limit` at most.
    func bytes(of file: UnsafeRawBufferPointer, limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Swift.min(limit, self.byteCount))
        for range in self where bytes.count < limit {
            bytes += UnsafeRawBufferPointer(rebasing: file[range.prefix(limit - bytes.count)])
        }
        return bytes
    }
}
