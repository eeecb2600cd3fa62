/// The tracks of an animated HEIF (ISO/IEC 14496-12, 8): their number of frames, and the location of the first ones.
struct HEIFTracks {
    /// A track of pictures.
    struct Track {
        var id = 0
        var references: [HEIFMeta.Reference] = []
        var properties: [HEIFProperty] = []
        var sampleCount = 0
        var firstSample: Range<Int>?
        /// Whether the track's pictures are shown by themselves.
        var isShown = false
    }

    private let bytes: UnsafeRawBufferPointer
    private let codec: ItemCodec
    private let limits: CodecLimits
    private var tracks: [Track] = []

    /// Maximum number of tracks: of pictures, of alpha and of sound.
    private static let trackLimit = 16
    /// The length of a visual sample entry before its boxes (12.1.3).
    private static let entryLength = 78

    /// - Parameters:
    ///   - bytes: The file's beginning, including the whole box.
    ///   - payload: The payload of the `moov` box.
    init(
        _ bytes: UnsafeRawBufferPointer, payload: Range<Int>, codec: ItemCodec, limits: CodecLimits
    ) throws(CodecError) {
        self.bytes = bytes
        self.codec = codec
        self.limits = limits
        var boxes = ISOBoxes(bytes, in: payload)
        while let box = try boxes.nextInside() {
            guard box.kind == "trak" else { continue }
            guard self.tracks.count < Self.trackLimit else {
                throw .damaged(reason: "a HEIF of more than \(Self.trackLimit) tracks")
            }
            self.tracks.append(try self.track(box.payload))
        }
    }

    private var shown: Track? { self.tracks.first { $0.isShown && $0.sampleCount > 0 } }

    /// The number of frames of the shown track; at least 1.
    var frameCount: Int { max(1, self.shown?.sampleCount ?? 1) }

    /// The first frame, with its alpha, as items; `nil` if no track can be shown.
    func firstPictures() -> HEIFMeta? {
        guard let shown else { return nil }
        let alpha = self.tracks.first { track in
            track.id != shown.id && track.references.contains { $0.kind == "auxl" && $0.to.contains(shown.id) }
        }
        return HEIFMeta(colours: shown, alpha: alpha, codec: self.codec, limits: self.limits)
    }

    private func track(_ range: Range<Int>) throws(CodecError) -> Track {
        var track = Track()
        var media: Range<Int>?
        var references: Range<Int>?
        var boxes = ISOBoxes(self.bytes, in: range)
        while let box = try boxes.nextInside() {
            switch box.kind {
            case "tkhd":
                var fields = ISOFields(self.bytes, in: box.payload)
                let version = try fields.version()
                try fields.skip(version == 1 ? 19 : 11)
                track.id = try fields.number(4)
            case "mdia": media = box.payload
            case "tref": references = box.payload
            default: break
            }
        }
        if let references { track.references = try self.references(references, of: track.id) }
        guard let media else { return track }
        if let handler = try self.child("hdlr", of: media) {
            var fields = ISOFields(self.bytes, in: handler)
            try fields.skip(8)
            let kind = try fields.kind()
            track.isShown = kind == "pict" || kind == "vide"
        }
        if let information = try self.child("minf", of: media), let table = try self.child("stbl", of: information) {
            try self.readSamples(table, of: &track)
        }
        return track
    }

    private func references(_ range: Range<Int>, of id: Int) throws(CodecError) -> [HEIFMeta.Reference] {
        var references: [HEIFMeta.Reference] = []
        var boxes = ISOBoxes(self.bytes, in: range)
        while let box = try boxes.nextInside(), references.count < Self.trackLimit {
            var fields = ISOFields(self.bytes, in: box.payload)
            var to: [Int] = []
            while fields.rest.count >= 4, to.count < Self.trackLimit { to.append(try fields.number(4)) }
            references.append(HEIFMeta.Reference(kind: box.kind, from: id, to: to))
        }
        return references
    }

    private func readSamples(_ table: Range<Int>, of track: inout Track) throws(CodecError) {
        if let range = try self.child("stsd", of: table) { try self.readDescription(range, of: &track) }
        guard let sizes = try self.child("stsz", of: table) else { return }
        var fields = ISOFields(self.bytes, in: sizes)
        try fields.skip(4)
        let uniform = try fields.number(4)
        track.sampleCount = try fields.number(4)
        guard track.sampleCount > 0 else { return }
        let length = try uniform > 0 ? uniform : fields.number(4)
        for (kind, size) in [(ISOBox.Kind("stco"), 4), ("co64", 8)] {
            guard let chunks = try self.child(kind, of: table) else { continue }
            var fields = ISOFields(self.bytes, in: chunks)
            try fields.skip(8)
            let offset = try fields.number(size)
            guard length > 0, offset <= HEIFMeta.farthest else {
                throw .damaged(reason: "a HEIF with a frame at an invalid offset")
            }
            track.firstSample = offset..<offset + length
        }
    }

    /// Reads the first entry, which describes the first sample.
    private func readDescription(_ range: Range<Int>, of track: inout Track) throws(CodecError) {
        guard range.count > 8, let entry = try self.child(self.codec.itemKind, of: range.dropFirst(8)) else { return }
        var fields = ISOFields(self.bytes, in: entry)
        try fields.skip(24)
        track.properties.append(.size(width: try fields.number(2), height: try fields.number(2)))
        try fields.skip(Self.entryLength - 28)
        var boxes = ISOBoxes(self.bytes, in: fields.rest)
        while let box = try boxes.nextInside() {
            if box.kind == "auxi" {
                let type = ISOBox(kind: "auxC", payload: box.payload)
                track.properties.append(try HEIFProperty(type, in: self.bytes, codec: self.codec))
            } else if track.properties.count < self.limits.maxItems {
                track.properties.append(try HEIFProperty(box, in: self.bytes, codec: self.codec))
            }
        }
    }

    private func child(_ kind: ISOBox.Kind, of range: Range<Int>) throws(CodecError) -> Range<Int>? {
        var boxes = ISOBoxes(self.bytes, in: range)
        while let box = try boxes.nextInside() {
            if box.kind == kind { return box.payload }
        }
        return nil
    }
}
