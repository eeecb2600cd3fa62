import FoundationEssentials
import PosterCodec

/// Measures the time of posters of one format, by file, with this codec and with other programs.
struct SpeedOfFiles {
    let width: Int
    let format: OutputFormat
    let rounds: Int
    let runs: Int
    private(set) var files: [FileSpeed] = []
    private(set) var notes: [String] = []
    private(set) var peerNames: [String] = []

    init(width: Int, format: OutputFormat, rounds: Int, runs: Int) {
        (self.width, self.format, self.rounds, self.runs) = (width, format, rounds, runs)
    }

    /// - Parameter peers: `nil` measures only the codec.
    mutating func measure(_ originals: [SpeedOriginal], beside peers: Peers?) throws {
        let folder = try WorkFolder()
        self.peerNames = peers?.versions.map(\.name) ?? []
        if let peers { self.notes.append(peers.versions.map { "\($0.name) \($0.version)" }.joined(separator: ", ")) }
        var progress = Progress(count: originals.count)
        for original in originals {
            progress.step("\(original.name) to \(self.format.rawValue)")
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

    private func measured(_ original: SpeedOriginal, beside peers: Peers?, in folder: String) throws -> FileSpeed {
        let input = try MappedFile(original.file)
        let header = try inspect(input.bytes.bytes, limits: .init())
        let ours = "\(folder)/ours.\(self.format.rawValue)"
        var times: [StageTimes<UInt64>] = []
        var works: [String: [Double]] = [:]
        var byteCounts: [String: Int] = [:]
        let way = DownsampledRender(format: self.format, width: self.width)
        _ = try way.run(input)  // warms up
        for round in 0..<self.rounds {
            for _ in 0..<self.runs { times.append(try way.run(input).times) }
            for peer in self.peerNames {
                let work = try peers?.run(
                    peer, file: original.file, width: self.width, format: self.format.rawValue, runs: self.runs,
                    warm: round == 0, output: "\(folder)/\(peer)")
                works[peer, default: []] += work?.milliseconds ?? []
                byteCounts[peer] = work?.byteCount
            }
        }
        let poster = try way.file(of: input)
        var file = FileSpeed(
            name: original.name, kind: FileSpeed.kind(header), milliseconds: StageTimes(mediansOf: times),
            byteCount: poster.count)
        guard let peers else { return file }
        let able = self.peerNames.filter { byteCounts[$0] != nil }
        try Data(poster).write(to: URL(filePath: ours))
        let likeness = try peers.likeness(
            of: [ours] + able.map { "\(folder)/\($0)" }, to: original.file, in: folder)
        file.likeness = likeness[0]
        for (index, peer) in able.enumerated() {
            file.peers[peer] = FileSpeed.PeerSpeed(
                milliseconds: Median.of(works[peer]!), byteCount: byteCounts[peer]!, likeness: likeness[index + 1])
        }
        return file
    }
}
