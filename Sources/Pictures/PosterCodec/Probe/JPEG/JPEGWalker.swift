import Glibc

/// Hops over the segments of a JPEG (ITU-T T.81, annex B) without decoding anything.
struct JPEGWalker {
    private let bytes: UnsafeRawBufferPointer
    /// How far the walk came, and what it found; a walk over more bytes of the same file resumes from it.
    private(set) var progress: Progress

    struct Progress: Sendable {
        /// Where the next marker is searched.
        fileprivate(set) var offset = 2  // after SOI
        fileprivate var clues = JPEGColourClues()
        fileprivate var frame: JPEGFrame?
        fileprivate var orientation: Orientation?
        fileprivate var profile = JPEGProfileParts()
    }

    /// - Parameters:
    ///   - bytes: A file that begins with SOI. Borrowed for the walker's life.
    ///   - progress: Of a walk over fewer bytes of the same file.
    init(_ bytes: UnsafeRawBufferPointer, resuming progress: Progress = .init()) {
        self.bytes = bytes
        self.progress = progress
    }

    private struct Segment {
        let marker: UInt8
        /// What follows the length field.
        let payload: Range<Int>
    }

    private enum Step {
        case segment(Segment)
        case endOfImage
        case needsMoreBytes(atLeast: Int)
    }

    /// Reads up to the first scan, because only that tells whether one scan holds all components.
    mutating func header() throws(CodecError) -> ProbeAnswer {
        while true {
            switch try self.next() {
            case .needsMoreBytes(let count): return .needsMoreBytes(atLeast: count)
            case .endOfImage: throw .damaged(reason: "the JPEG ends without a picture")
            case .segment(let segment):
                switch segment.marker {
                case 0xE0...0xEF: self.noteApplicationData(segment)
                case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                    guard self.progress.frame == nil else { throw .unsupported("hierarchical JPEG") }
                    self.progress.frame = try JPEGFrame(marker: segment.marker, payload: self.slice(segment.payload))
                case 0xDA:
                    guard let frame = self.progress.frame else {
                        throw .damaged(reason: "a JPEG scan before the frame header")
                    }
                    let inScan = segment.payload.isEmpty ? 0 : Int(self.bytes[segment.payload.lowerBound])
                    return .header(self.header(of: frame, componentsInFirstScan: inScan))
                default: break
                }
            }
        }
    }

    /// Walks to the end of the image.
    ///
    /// - Returns: The number of scans.
    mutating func scanCount() throws(CodecError) -> Int {
        var scans = 0
        while true {
            switch try self.next() {
            case .needsMoreBytes: throw .truncated
            case .endOfImage: return scans
            case .segment(let segment) where segment.marker == 0xDA:
                scans += 1
                try self.skipEntropyCodedData()
            case .segment: break
            }
        }
    }

    /// What the file says about its colours: an ICC profile in one or several segments, or nothing.
    ///
    /// - Throws: ``CodecError/overLimit(_:value:limit:)`` for a profile that is too large.
    static func colourTag(
        of bytes: UnsafeRawBufferPointer, header: ImageHeader, limits: CodecLimits
    ) throws(CodecError) -> ColourTag {
        guard header.hasICCProfile else { return .sRGB }
        var walker = JPEGWalker(bytes)
        while case .segment(let segment) = try walker.next(), segment.marker != 0xDA {
            if segment.marker == 0xE2 {
                walker.progress.profile.note(walker.slice(segment.payload), at: segment.payload)
            }
        }
        guard let ranges = walker.progress.profile.ranges else { return .sRGB }
        guard ranges.byteCount <= limits.maxProfileBytes else {
            throw .overLimit(.profileBytes, value: ranges.byteCount, limit: limits.maxProfileBytes)
        }
        return .profile(ranges.bytes(of: bytes, limit: ranges.byteCount))
    }

    private func header(of frame: JPEGFrame, componentsInFirstScan: Int) -> ImageHeader {
        var header = ImageHeader(
            format: .jpeg, width: frame.width, height: frame.height, orientation: self.progress.orientation ?? .upright,
            bitDepth: frame.precision, colourModel: self.progress.clues.colourModel(of: frame),
            sampling: frame.sampling, isProgressive: frame.isProgressive,
            isMultiScan: frame.isProgressive || componentsInFirstScan < frame.sampling.count,
            hasICCProfile: self.progress.profile.isPresent)
        if let ranges = self.progress.profile.ranges {
            header.noteProfile(
                prefix: ranges.bytes(of: self.bytes, limit: ProfileDirectory.maxLength), byteCount: ranges.byteCount)
        }
        return header
    }

    private mutating func noteApplicationData(_ segment: Segment) {
        let payload = self.slice(segment.payload)
        let start = Prefix(payload)
        switch segment.marker {
        case 0xE0 where start.has("JFIF\0") && payload.count >= 14: self.progress.clues.hasJFIF = true
        case 0xE1 where start.has("Exif\0\0") && self.progress.orientation == nil:
            self.progress.orientation = EXIF.orientation(in: UnsafeRawBufferPointer(rebasing: payload.dropFirst(6)))
        case 0xE2: self.progress.profile.note(payload, at: segment.payload)
        case 0xEE where start.has("Adobe") && payload.count >= 12: self.progress.clues.adobeTransform = payload[11]
        default: break
        }
    }

    private func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self.bytes[range])
    }

    private mutating func next() throws(CodecError) -> Step {
        var at = self.progress.offset
        // Tolerate stray bytes before a marker, as every decoder does, and fill bytes (0xFF) within it.
        while at < self.bytes.count, self.bytes[at] != 0xFF { at += 1 }
        while at < self.bytes.count, self.bytes[at] == 0xFF { at += 1 }
        // One byte of the marker is enough to resume at; neither stray nor fill bytes are read again.
        self.progress.offset = max(self.progress.offset, at - 1)
        guard at < self.bytes.count else { return .needsMoreBytes(atLeast: self.bytes.count + 1) }
        let marker = self.bytes[at]
        at += 1
        switch marker {
        case 0xD9: return .endOfImage
        case 0x00, 0x01, 0xD0...0xD8:  // no length field; SOI again is tolerated
            self.progress.offset = at
            return .segment(Segment(marker: marker, payload: at..<at))
        default: break
        }
        guard at + 2 <= self.bytes.count else { return .needsMoreBytes(atLeast: at + 2) }
        let length = Int(self.bytes[at]) << 8 | Int(self.bytes[at + 1])
        guard length >= 2 else { throw .damaged(reason: "a JPEG segment of impossible length") }
        guard at + length <= self.bytes.count else { return .needsMoreBytes(atLeast: at + length) }
        self.progress.offset = at + length
        return .segment(Segment(marker: marker, payload: at + 2..<at + length))
    }

    /// Leaves `offset` at the first marker after a scan's data; stuffed zeros and restart markers belong to the data.
    private mutating func skipEntropyCodedData() throws(CodecError) {
        guard let base = self.bytes.baseAddress else { throw .truncated }
        var at = self.progress.offset
        while at < self.bytes.count, let found = memchr(base + at, 0xFF, self.bytes.count - at) {
            let position = base.distance(to: UnsafeRawPointer(found))
            guard position + 1 < self.bytes.count else { throw .truncated }
            switch self.bytes[position + 1] {
            case 0x00, 0xD0...0xD7: at = position + 2
            case 0xFF: at = position + 1
            default:
                self.progress.offset = position
                return
            }
        }
        throw .truncated
    }
}
