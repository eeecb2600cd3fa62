/// Reads the header of a JPEG XL, incrementally, without decoding: a codestream alone, or in boxes (ISO/IEC 18181-2).
/// Borrows the file, or its beginning.
struct JXLParser {
    private let bytes: UnsafeRawBufferPointer
    private let limits: CodecLimits
    /// The state, from which parsing resumes with more bytes of the same file.
    private(set) var progress: Progress

    struct Progress: Sendable {
        /// The offset of the file's next box.
        fileprivate(set) var offset = 0
        fileprivate var boxCount = 0
        fileprivate(set) var codestream = JXLCodestream()
        fileprivate(set) var layout: JXLLayout?
        /// Whether the file has data for restoring a JPEG, with coefficients as coded in that.
        fileprivate(set) var restoresJPEG = false
    }

    /// The number of bytes within which the image header must end. Only names of channels and unknown extensions make
    /// one longer than 200 bytes.
    private static let headerLimit = 1 << 14

    init(_ bytes: UnsafeRawBufferPointer, limits: CodecLimits, resuming progress: Progress = .init()) {
        self.bytes = bytes
        self.limits = limits
        self.progress = progress
    }

    /// Reads up to the end of the image header.
    mutating func header() throws(CodecError) -> ProbeResult {
        if let layout = self.progress.layout { return .header(layout.imageHeader) }
        let missing = try self.collectParts(atLeast: Self.headerLimit)
        let codestream = self.progress.codestream
        do throws(CodecError) {
            let limits = self.limits
            let layout = try codestream.withBytes(of: self.bytes, atMost: Self.headerLimit) {
                (beginning) throws(CodecError) in
                var bits = JXLBits(beginning)
                let header = try JXLHeader(&bits, limits: limits)
                return try JXLLayout(header, bitCount: bits.position)
            }
            self.progress.layout = layout
            return .header(layout.imageHeader)
        } catch {
            guard error == .truncated else { throw error }
            guard codestream.arrivedCount(of: self.bytes.count) < Self.headerLimit else {
                throw .damaged(reason: "a JPEG XL with a header that is too long")
            }
            if let missing { return .needsMoreBytes(atLeast: missing) }
            guard !codestream.hasArrived(in: self.bytes.count) else { throw error }
            // Nearly all headers are shorter than 200 bytes.
            let count = self.bytes.count
            return .needsMoreBytes(atLeast: count < 512 ? count + 1 : count + count / 2)
        }
    }

    /// Finds the codestream of a complete file and checks the headers of its frames. Bytes after the first frame may be
    /// missing or damaged.
    ///
    /// - Returns: The frames; `nil` if only a decoder can find them, behind an ICC profile.
    mutating func checkToEnd(_ watch: RenderWatch) throws(CodecError) -> (layout: JXLLayout, frames: JXLFrames?) {
        guard case .header = try self.header(), let layout = self.progress.layout else { throw .truncated }
        var failure: CodecError?
        do throws(CodecError) {
            if try self.collectParts(atLeast: .max) != nil { failure = .truncated }
        } catch {
            failure = error
        }
        if !layout.header.colours.hasProfile {
            // The first frame may be complete without the missing bytes.
            return (
                layout,
                try self.progress.codestream.withBytes(of: self.bytes) { (codestream) throws(CodecError) in
                    try JXLFrames(codestream, of: layout.header, from: layout.framesStart, watch: watch)
                }
            )
        }
        if let failure { throw failure }
        // Of a bare codestream the length is unknown.
        let hasArrived = self.progress.boxCount == 0 || self.progress.codestream.hasArrived(in: self.bytes.count)
        guard hasArrived else { throw .truncated }
        return (layout, nil)
    }

    /// Reads boxes until `wanted` bytes of the codestream have arrived, or all of its parts are known.
    ///
    /// - Returns: The number of bytes of the file that is needed; `nil` if no box is missing.
    private mutating func collectParts(atLeast wanted: Int) throws(CodecError) -> Int? {
        guard self.progress.boxCount > 0 || self.bytes.first != 0xFF else {
            if !self.progress.codestream.isEnded { try self.progress.codestream.appendWhole(0..<Int.max) }
            return nil
        }
        var boxes = ISOBoxes(self.bytes, in: self.progress.offset..<Int.max)
        while !self.progress.codestream.isEnded {
            // A copy of the codestream would make each appended part copy all parts.
            guard self.progress.codestream.hasArrived(in: self.bytes.count),
                self.progress.codestream.arrivedCount(of: self.bytes.count) < wanted
            else { return nil }
            switch try boxes.next() {
            case .needsMoreBytes(let count): return count
            case .end: throw .damaged(reason: "a JPEG XL without codestream")
            case .box(let box):
                if let missing = try self.note(box) { return missing }
                self.progress.boxCount += 1
                try CodecLimits.check(.chunks, self.progress.boxCount, atMost: self.limits.maxChunks)
                self.progress.offset = boxes.offset
            }
        }
        return nil
    }

    /// Records a part of the codestream. Other boxes, such as EXIF, are ignored.
    ///
    /// - Returns: The number of bytes of the file that is needed; `nil` if they have arrived.
    private mutating func note(_ box: ISOBox) throws(CodecError) -> Int? {
        switch (self.progress.boxCount, box.kind) {
        case (0, "JXL "): break
        case (1, "ftyp"): break
        case (0, _), (1, _): throw .damaged(reason: "a JPEG XL that does not begin with its signature and type")
        case (_, "jxlc"): try self.progress.codestream.appendWhole(box.payload)
        case (_, "jxlp"):
            let start = box.payload.lowerBound + 4
            guard start <= box.payload.upperBound else {
                throw .damaged(reason: "a JPEG XL with a part without number")
            }
            guard start <= self.bytes.count else { return start }
            try self.progress.codestream.append(
                start..<box.payload.upperBound, number: self.bytes.bigEndian(at: start - 4))
        case (_, "jbrd"): self.progress.restoresJPEG = true
        default: break
        }
        return nil
    }
}
