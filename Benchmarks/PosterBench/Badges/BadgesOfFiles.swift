import CPosterBench
import PosterCodec

/// Measures posters with badges beside the same posters without.
struct BadgesOfFiles {
    /// Texts and colours of the badges.
    static let texts: [(text: String, colour: String)] = [
        ("IMDb 8.7", "14551C"), ("RT 88 %", "14551C"), ("MC 73", "2A722E"),
    ]
    /// Rounds for each one with other programs, which are much slower.
    private static let roundsPerPeer = 5

    let targets: [(width: Int, format: OutputFormat)]
    private(set) var costs: [BadgeCosts] = []
    private(set) var notes: [String] = []
    /// Other programs in the order of the tables.
    let peerNames: [String]
    /// Memory that the process's first badges allocate and leave for later ones, in bytes.
    private(set) var retainedBytes = 0

    private let badges: Badges?

    /// - Throws: ``BenchError`` if no file can be rendered.
    init(
        _ files: [String], _ targets: [(width: Int, format: OutputFormat)], rounds: Int, beside peers: Peers?
    ) throws {
        self.targets = targets
        self.badges = Badges(
            Self.texts.map { Badges.Badge(text: $0.text, colour: RenderTarget.Colour(hex: $0.colour) ?? .white) })
        self.peerNames = peers?.versions.map(\.name).filter { Peers.drawingBadges.contains($0) } ?? []
        if let peers {
            self.notes = peers.versions.filter { self.peerNames.contains($0.name) }.map { "\($0.name) \($0.version)" }
            self.notes += Peers.drawingBadges.filter { !self.peerNames.contains($0) }.map { "\($0) is not installed" }
        }
        let folder = try WorkFolder()
        var progress = Progress(count: files.count * targets.count)
        for file in files {
            for (width, format) in targets {
                progress.step("\(file) to \(format.rawValue), \(width) pixels")
                do {
                    var costs = BadgeCosts(file: file, width: width, format: format)
                    try self.measure(&costs, rounds: rounds, beside: peers, output: "\(folder.path)/poster")
                    self.costs.append(costs)
                } catch let error as CodecError {
                    self.notes.append("\(file) to \(format.rawValue): \(error)")
                }
            }
        }
        progress.finish()
        guard !self.costs.isEmpty else {
            throw BenchError("none of the files can be rendered:\n" + self.notes.joined(separator: "\n"))
        }
    }

    private mutating func measure(
        _ costs: inout BadgeCosts, rounds: Int, beside peers: Peers?, output: String
    ) throws {
        let input = try MappedFile(costs.file)
        let plain = DownsampledRender(format: costs.format, width: costs.width)
        let badged = DownsampledRender(format: costs.format, width: costs.width, badges: self.badges)
        // Warms up: the first badges open the font and draw their glyphs.
        _ = try plain.run(input)
        let first = try Self.heap { try badged.run(input) }
        if self.costs.isEmpty { self.retainedBytes = first.live }
        let heap = (plain: try Self.heap { try plain.run(input) }, badged: try Self.heap { try badged.run(input) })
        costs.heapGrowth = heap.badged.peak - heap.plain.peak
        for round in 0..<rounds {
            if round % 2 == 0 {
                costs.plain.append(try Self.milliseconds { try plain.run(input) })
                costs.badged.append(try Self.milliseconds { try badged.run(input) })
            } else {
                costs.badged.append(try Self.milliseconds { try badged.run(input) })
                costs.plain.append(try Self.milliseconds { try plain.run(input) })
            }
            guard round % Self.roundsPerPeer == 0, let peers else { continue }
            for name in self.peerNames {
                let work = try peers.run(
                    name, file: costs.file, width: costs.width, format: costs.format.rawValue, runs: 1,
                    warm: round == 0, output: output, badges: Self.texts)
                costs.peers[name, default: []] += work?.cpu ?? []
            }
        }
    }

    private static func milliseconds(_ render: () throws -> Rendering) rethrows -> Double {
        let start = Clock.cpu()
        _ = try render()
        return Double(Clock.cpu() - start) / 1e6
    }

    private static func heap(_ render: () throws -> Rendering) throws -> (peak: Int, live: Int) {
        poster_bench_heap_count()
        let result = Result { try render() }
        let counts = poster_bench_heap_counted()
        _ = try result.get()
        return (counts.peak, counts.live)
    }
}
