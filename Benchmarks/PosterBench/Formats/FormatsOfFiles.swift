import FoundationEssentials
import PosterCodec

/// Bytes and CPU time of each format, effort and kind of picture, at equal likeness.
struct FormatsOfFiles {
    struct Picture {
        /// The folder of the original, relative to the corpus.
        let kind: String
        let width: Int
        let curves: [CodedCurve]
    }

    let widths: [Int]
    let coders: [FormatCoder]
    let rounds: Int
    private(set) var pictures: [Picture] = []
    private(set) var notes: [String] = []

    init(widths: [Int], coders: [FormatCoder], rounds: Int) {
        (self.widths, self.coders, self.rounds) = (widths, coders, rounds)
    }

    /// Encodes each original at each width that does not exceed its own.
    mutating func measure(_ originals: [SpeedOriginal], beside peers: Peers) throws {
        let folder = try WorkFolder()
        self.notes.append(peers.versions.map { "\($0.name) \($0.version)" }.joined(separator: ", "))
        var progress = Progress(count: originals.count)
        for original in originals {
            progress.step(original.name)
            do {
                let input = try MappedFile(original.file)
                let header = try inspect(input.bytes.bytes, limits: .init())
                for width in self.widths where width <= header.uprightSize.width {
                    let bench = PictureFormats(width: width, rounds: self.rounds, folder: folder.path, peers: peers)
                    guard let curves = try bench.curves(of: input, header, self.coders) else { continue }
                    self.pictures.append(Picture(kind: Self.kind(original.name), width: width, curves: curves))
                }
            } catch let error as CodecError {
                self.notes.append("\(original.name): \(error)")
            }
        }
        progress.finish()
        if let note = peers.checkNote { self.notes.append(note) }
        guard !self.pictures.isEmpty else {
            throw BenchError("none of the files can be rendered:\n" + self.notes.joined(separator: "\n"))
        }
    }

    private static func kind(_ name: String) -> String {
        let parts = name.split(separator: "/")
        return parts.count > 1 ? String(parts[0]) : "files"
    }
}

struct PictureFormats {
    let width: Int
    let rounds: Int
    let folder: String
    let peers: Peers

    /// - Returns: `nil` if the likeness cannot be measured.
    func curves(
        of input: borrowing MappedFile, _ header: ImageHeader, _ coders: [FormatCoder]
    ) throws -> [CodedCurve]? {
        let (reference, pixels) = try self.reference(input, header)
        var curves: [CodedCurve] = []
        for coder in coders {
            let points = try self.points(coder, coder.qualities, of: input, header, reference: reference)
            guard let points else { return nil }
            curves.append(CodedCurve(coder: coder, pixels: pixels, points: points))
        }
        return curves
    }

    /// - Returns: An encoding for each quality; `nil` if the likeness cannot be measured.
    func points(
        _ coder: FormatCoder, _ qualities: [Int], of input: borrowing MappedFile, _ header: ImageHeader,
        reference: String
    ) throws -> [CodedPoint]? {
        var (points, paths): ([CodedPoint], [String]) = ([], [])
        for quality in qualities {
            let path = "\(self.folder)/\(quality).\(coder.format.rawValue)"
            points.append(try self.point(coder, quality, of: input, header, reference: reference, path: path))
            paths.append(path)
        }
        for (index, likeness) in try self.peers.likeness(of: paths, to: reference, in: self.folder).enumerated() {
            guard let likeness else { return nil }
            points[index].likeness = likeness
        }
        return points
    }

    /// Writes the picture as PNG, the reference of the comparisons.
    ///
    /// - Returns: Its path and its number of pixels.
    func reference(_ input: borrowing MappedFile, _ header: ImageHeader) throws -> (path: String, pixels: Int) {
        let path = "\(self.folder)/reference.png"
        let picture = try self.own(input, header, .png, .first, quality: 100)
        try self.write(picture.file, to: path)
        return (path, picture.pixels)
    }

    private func point(
        _ coder: FormatCoder, _ quality: Int, of input: borrowing MappedFile, _ header: ImageHeader,
        reference: String, path: String
    ) throws -> CodedPoint {
        switch coder.program {
        case .own(let effort):
            let made = try self.own(input, header, coder.format, effort, quality: quality)
            try self.write(made.file, to: path)
            return CodedPoint(
                quality: quality, byteCount: made.file.count, milliseconds: made.milliseconds)
        case .libvips(let effort):
            let work = try self.peers.encode(
                reference, format: coder.format.rawValue, quality: quality, effort: effort, runs: self.rounds,
                output: path)
            guard let work, let best = work.cpu.min() else {
                throw BenchError("libvips cannot encode \(coder.format.rawValue)")
            }
            return CodedPoint(quality: quality, byteCount: work.byteCount, milliseconds: best)
        }
    }

    /// Encodes with this codec.
    ///
    /// - Returns: The file, and the best CPU time of the encoder.
    private func own(
        _ input: borrowing MappedFile, _ header: ImageHeader, _ format: OutputFormat, _ effort: EncodingEffort,
        quality: Int
    ) throws -> (file: [UInt8], milliseconds: Double, pixels: Int) {
        let target = RenderTarget(width: self.width, format: format, quality: .fixed(quality))
        let plan = try RenderPlan(header, target: target, encoding: effort)
        var (file, best): ([UInt8], UInt64) = ([], .max)
        for _ in 0..<self.rounds {
            let made = try renderFile(input.bytes.bytes, plan: plan, control: RenderControl(now: Clock.cpu))
            best = min(best, made.timings.encode)
            file = made.bytes.withUnsafeBytes { Array($0) }
        }
        return (file, Double(best) / 1e6, plan.size.width * plan.size.height)
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }
}
