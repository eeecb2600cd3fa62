/// Decodes the first picture of a GIF on its canvas. Pixels that it does not draw are transparent, as in browsers.
struct GIFDecoder: ~Copyable, PlaneSource {
    let layout: PlaneLayout
    let colourTag = ColourTag.sRGB
    private let file: GIFLayout
    private var codes: GIFCodeReader
    /// The samples of each index, plane by plane, premultiplied. Indices without a colour are opaque black.
    private let colours: [UInt8]
    /// All indices of an interlaced picture, else one row of them.
    private let indices: ScratchMemory<UInt8>
    private var nextRow = 0

    private static let rowsPerGroup = 4
    /// The rows of each pass of an interlaced picture (appendix E): the first one, and the distance to the next.
    private static let passes = [(0, 8), (4, 8), (2, 4), (1, 2)]

    /// Reads the header, or the whole interlaced picture.
    ///
    /// - Throws: ``CodecError/damaged(reason:)`` also if the file's header differs from the plan's.
    init(_ bytes: UnsafeRawBufferPointer, _ plan: SourcePlan, watch: RenderWatch) throws(CodecError) {
        var parser = GIFParser(bytes)
        guard case .header(var header) = try parser.header(), let file = parser.progress.layout else {
            throw .truncated
        }
        // A plan made from the beginning of a file counts one frame.
        header.frameCount = plan.source.frameCount
        guard header == plan.source else { throw .damaged(reason: "not the GIF that the plan was made from") }
        let palette = file.palette
        guard palette.upperBound <= bytes.count else { throw .truncated }
        _ = try parser.frameCount(limits: watch.limits)
        var codes = try GIFCodeReader(bytes, from: file.dataStart)
        let indices = ScratchMemory<UInt8>(count: file.frame.width * (file.isInterlaced ? file.frame.height : 1))
        if file.isInterlaced { try Self.readInterlaced(file, from: &codes, into: indices.start, watch: watch) }
        self.file = file
        self.colours = Self.colours(UnsafeRawBufferPointer(rebasing: bytes[palette]), of: file)
        self.codes = codes
        self.indices = indices
        let model = PlaneModel(colour: .rgb, hasAlpha: file.hasAlpha)
        let plane = PlaneLayout.PlaneShape(
            width: file.width, height: file.height, rowBytes: file.width, rowsPerGroup: Self.rowsPerGroup,
            samplesPerPixel: (across: 1, down: 1))
        self.layout = PlaneLayout(
            planes: .init(repeating: plane, count: model.planeCount),
            groupCount: (file.height + Self.rowsPerGroup - 1) / Self.rowsPerGroup, model: model)
    }

    private static func colours(_ palette: UnsafeRawBufferPointer, of file: GIFLayout) -> [UInt8] {
        var colours = [UInt8](repeating: 0, count: 3 * 256) + [UInt8](repeating: 255, count: 256)
        for index in 0..<palette.count / 3 {
            for channel in 0..<3 { colours[256 * channel + index] = palette[3 * index + channel] }
        }
        if let index = file.transparentIndex {
            for channel in 0..<4 { colours[256 * channel + Int(index)] = 0 }
        }
        return colours
    }

    private static func readInterlaced(
        _ file: GIFLayout, from codes: inout GIFCodeReader, into indices: UnsafeMutablePointer<UInt8>,
        watch: RenderWatch
    ) throws(CodecError) {
        let (width, height) = (file.frame.width, file.frame.height)
        for (first, step) in Self.passes {
            for y in stride(from: first, to: height, by: step) {
                try watch.check()
                try codes.read(width, into: indices + y * width)
            }
        }
    }

    mutating func readGroup(into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]) throws(CodecError) -> Bool {
        let end = min(self.nextRow + Self.rowsPerGroup, self.file.height)
        let frame = self.file.frame
        for y in self.nextRow..<end {
            let isInFrame = (frame.top..<frame.top + frame.height).contains(y)
            var row = self.indices.start
            if isInFrame, self.file.isInterlaced {
                row += (y - frame.top) * frame.width
            } else if isInFrame {
                try self.codes.read(frame.width, into: row)
            }
            for (channel, target) in targets.enumerated() {
                let samples = target! + (y - self.nextRow) * strides[channel]
                if !isInFrame || frame.width < self.file.width {
                    samples.update(repeating: 0, count: self.file.width)
                }
                if isInFrame { self.lookUp(row, channel: channel, into: samples + frame.left) }
            }
        }
        self.nextRow = end
        return true
    }

    private func lookUp(_ row: UnsafePointer<UInt8>, channel: Int, into samples: UnsafeMutablePointer<UInt8>) {
        self.colours.withUnsafeBufferPointer { colours in
            let colours = colours.baseAddress! + 256 * channel
            for x in 0..<self.file.frame.width { samples[x] = colours[Int(row[x])] }
        }
    }

    /// Does nothing: data after the picture is not shown, and its limits were checked before the first row.
    mutating func finish() throws(CodecError) {}

    /// Verifies that the first picture's data has all of its pixels.
    static func checkPixels(
        of file: GIFLayout, in bytes: UnsafeRawBufferPointer, watch: RenderWatch
    ) throws(CodecError) {
        var codes = try GIFCodeReader(bytes, from: file.dataStart)
        let row = ScratchMemory<UInt8>(count: file.frame.width)
        for _ in 0..<file.frame.height {
            try watch.check()
            try codes.read(file.frame.width, into: row.start)
        }
    }
}
