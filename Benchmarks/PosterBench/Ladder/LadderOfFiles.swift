import FoundationEssentials
import PosterCodec

/// Measures the CPU time of a ladder's variants by file: each separately, all in one job, and with libvips.
struct LadderOfFiles {
    static let peer = "libvips"

    let ladder: Ladder
    let rounds: Int
    private(set) var files: [FileLadder] = []
    private(set) var notes: [String] = []

    init(ladder: Ladder, rounds: Int) {
        (self.ladder, self.rounds) = (ladder, rounds)
    }

    /// - Parameter peers: `nil` measures only the codec, and no likeness.
    mutating func measure(_ originals: [SpeedOriginal], beside peers: Peers?) throws {
        let folder = try WorkFolder()
        if let peers { self.notes.append(peers.versions.map { "\($0.name) \($0.version)" }.joined(separator: ", ")) }
        var progress = Progress(count: originals.count)
        for original in originals {
            progress.step(original.name)
            do {
                self.files.append(try self.measured(original, beside: peers, in: folder.path))
            } catch let error as CodecError {
                self.notes.append("\(original.name): \(error)")
            }
        }
        progress.finish()
        guard !self.files.isEmpty else {
            throw BenchError("none of the files can be rendered:\n" + self.notes.joined(separator: "\n"))
        }
    }

    private func measured(_ original: SpeedOriginal, beside peers: Peers?, in folder: String) throws -> FileLadder {
        let input = try MappedFile(original.file)
        let render = LadderRender(ladder: self.ladder)
        // These also warm up.
        let (alone, together) = (try render.filesAlone(input), try render.filesTogether(input))
        var file = FileLadder(
            name: original.name, kind: FileSpeed.kind(try inspect(input.bytes.bytes, limits: .init())),
            decodes: together.decodes,
            byteCount: together.bytes.reduce(0) { $0 + $1.count },
            byteCountAlone: alone.bytes.reduce(0) { $0 + $1.count },
            identical: zip(alone.bytes, together.bytes).count { $0 == $1 })
        for round in 0..<self.rounds {
            file.alone.append(try render.timesAlone(input).map { Double($0) / 1e6 })
            file.together.append(Double(try render.runTogether(input).nanoseconds) / 1e6)
            if let peers { try self.append(peers, round, original, folder, &file) }
        }
        if let peers {
            file.likeness = try self.likeness(alone, to: original, peers, folder)
            file.likenessTogether = try self.likeness(together, to: original, peers, folder)
        }
        return file
    }

    /// Adds a round of the peer, unless it cannot process the file.
    private func append(
        _ peers: Peers, _ round: Int, _ original: SpeedOriginal, _ folder: String, _ file: inout FileLadder
    ) throws(BenchError) {
        var times: [Double] = []
        for target in self.ladder.targets where target.format != .png {
            let work = try peers.run(
                Self.peer, file: original.file, width: target.width!, format: target.format.rawValue, runs: 1,
                warm: round == 0, output: "\(folder)/peer")
            guard let work else { return }
            times += work.cpu
        }
        if !times.isEmpty { file.peer.append(times) }
    }

    /// SSIM of luma of each variant against a full decode and Lanczos-3.
    private func likeness(
        _ files: LadderRender.Files, to original: SpeedOriginal, _ peers: Peers, _ folder: String
    ) throws -> [Double?] {
        let paths = try zip(self.ladder.targets, files.bytes.indices).map { target, index in
            let path = "\(folder)/\(index).\(target.format.rawValue)"
            try Data(files.bytes[index]).write(to: URL(filePath: path))
            return path
        }
        return try peers.likeness(of: paths, to: original.file, in: folder).map { $0?.luma }
    }
}

struct FileLadder {
    let name: String
    /// The original's ``FileSpeed/kind(_:)``.
    let kind: String
    let decodes: Int
    let byteCount, byteCountAlone: Int
    /// Number of variants of the job that are identical to the separate renders.
    let identical: Int
    /// Milliseconds of CPU time per round; separate renders and the peer's also by target.
    var alone: [[Double]] = []
    var together: [Double] = []
    var peer: [[Double]] = []
    var likeness: [Double?] = []
    var likenessTogether: [Double?] = []

    /// The sum over the targets of the best time of each.
    static func best(_ rounds: [[Double]]) -> Double? {
        guard let first = rounds.first else { return nil }
        return first.indices.reduce(0) { sum, target in sum + rounds.map { $0[target] }.min()! }
    }

    /// Likeness gain of each variant of the job over its separate render.
    var gains: [Double] {
        zip(self.likeness, self.likenessTogether).compactMap { alone, together in
            guard let alone, let together else { return nil }
            return together - alone
        }
    }
}
