import FoundationEssentials
import PosterCodec

/// Measures other programs at the same work: libvips, Pillow and OpenCV in one Python process, `Benchmarks/peers.py`.
final class Peers {
    struct Work {
        let milliseconds: [Double]
        /// Milliseconds of CPU time.
        let cpu: [Double]
        let byteCount: Int
    }

    /// Names with versions, in the order of the tables.
    let versions: [(name: String, version: String)]
    private let conversation: Conversation
    private let checksLikeness: Bool
    private var check: [Double] = []

    private static let script = "Benchmarks/peers.py"
    /// The programs that ``run(_:file:width:format:runs:warm:output:badges:)`` has draw badges.
    static let drawingBadges = ["libvips", "Pillow"]

    /// - Parameter checksLikeness: Whether the Python package `ssimulacra2` measures the likeness, too.
    init(python: String, checksLikeness: Bool = false) throws(BenchError) {
        self.checksLikeness = checksLikeness
        guard FileManager.default.fileExists(atPath: Self.script) else {
            throw BenchError("there is no \(Self.script): run poster-bench from the repository's root")
        }
        self.conversation = try Conversation([python, Self.script])
        let hello = try Self.decode(Hello.self, try self.conversation.listen())
        self.versions = ["libvips", "Pillow", "OpenCV"].compactMap { name in hello.peers[name].map { (name, $0) } }
        guard !self.versions.isEmpty else {
            throw BenchError(
                "\(python) has no peers: pip install 'pyvips[binary]' pillow opencv-python-headless numpy, and set "
                    + "--python")
        }
    }

    /// - Parameters:
    ///   - runs: Number of timed runs.
    ///   - warm: Whether an untimed run precedes them.
    ///   - output: The path of the last poster.
    ///   - badges: Texts and colours in hexadecimal digits; only ``drawingBadges`` draw any.
    /// - Returns: `nil` if the peer cannot do it.
    func run(
        _ peer: String, file: String, width: Int, format: String, runs: Int, warm: Bool, output: String,
        badges: [(text: String, colour: String)] = []
    ) throws(BenchError) -> Work? {
        let answer = try self.ask(
            Request(
                peer: peer, file: file, width: width, format: format, runs: runs, warm: warm, output: output,
                badges: badges.isEmpty ? nil : badges.map { [$0.text, $0.colour] }))
        guard let milliseconds = answer.ms, let cpu = answer.cpu, let byteCount = answer.bytes else { return nil }
        return Work(milliseconds: milliseconds, cpu: cpu, byteCount: byteCount)
    }

    /// Encodes a picture unchanged; the times are the encoder's alone.
    ///
    /// - Returns: `nil` if libvips cannot do it.
    func encode(
        _ file: String, format: String, quality: Int, effort: Int, runs: Int, output: String
    ) throws(BenchError) -> Work? {
        let answer = try self.ask(
            Request(
                format: format, runs: runs, output: output, encode: file, quality: quality, effort: effort))
        guard let milliseconds = answer.ms, let cpu = answer.cpu, let byteCount = answer.bytes else { return nil }
        return Work(milliseconds: milliseconds, cpu: cpu, byteCount: byteCount)
    }

    /// Likeness of posters to a full decode of the original with Lanczos-3; `nil` if it cannot be measured.
    ///
    /// - Parameter folder: Gets the pictures that are compared.
    /// - Throws: ``BenchError``, or `CodecError` if the Python's pictures cannot be decoded.
    func likeness(of outputs: [String], to original: String, in folder: String) throws -> [Likeness?] {
        let answer = try self.ask(
            Request(
                original: original, outputs: outputs, references: "\(folder)/original",
                check: self.checksLikeness ? true : nil))
        guard let luma = answer.ssim, let chroma = answer.chroma, let pairs = answer.pairs,
            [luma.count, chroma.count, pairs.count].allSatisfy({ $0 == outputs.count })
        else { return outputs.map { _ in nil } }
        return try outputs.indices.map { index in
            guard let luma = luma[index], let chroma = chroma[index], pairs[index].count == 2 else { return nil }
            let reference = try MappedFile(pairs[index][0])
            let output = try MappedFile(pairs[index][1])
            guard let value = try SSIMULACRA2.compare(files: reference.bytes.bytes, output.bytes.bytes) else {
                return nil
            }
            if let other = answer.ssimulacra2 { self.check.append(abs(other[index] - value)) }
            return Likeness(ssimulacra2: value, luma: luma, chroma: chroma)
        }
    }

    struct Likeness {
        /// 100 is the best.
        var ssimulacra2 = 0.0
        /// SSIM of luma and the mean SSIM of both chroma planes; 1 is the best.
        var luma = 0.0
        var chroma = 0.0
    }

    /// The differences of SSIMULACRA2 from the Python package's, for the notes; `nil` without --check-likeness.
    var checkNote: String? {
        guard let largest = self.check.max() else { return nil }
        let median = Median.of(self.check).fixed(2)
        return "SSIMULACRA2 differs from the Python package's by \(median) in the median and at most "
            + "\(largest.fixed(2)), in \(self.check.count) pictures"
    }

    private struct Hello: Decodable {
        let peers: [String: String]
    }

    private struct Request: Encodable {
        var peer: String?
        var file: String?
        var width: Int?
        var format: String?
        var runs: Int?
        var warm: Bool?
        var output: String?
        var badges: [[String]]?
        var original: String?
        var outputs: [String]?
        var references: String?
        var check: Bool?
        var encode: String?
        var quality: Int?
        var effort: Int?
    }

    private struct Answer: Decodable {
        var ms: [Double]?
        var cpu: [Double]?
        var bytes: Int?
        var ssim: [Double?]?
        var chroma: [Double?]?
        var pairs: [[String]]?
        var ssimulacra2: [Double]?
    }

    private func ask(_ request: Request) throws(BenchError) -> Answer {
        guard let line = try? JSONEncoder().encode(request) else { throw BenchError("cannot encode a request as JSON") }
        self.conversation.say(String(decoding: line, as: UTF8.self))
        return try Self.decode(Answer.self, try self.conversation.listen())
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ line: String) throws(BenchError) -> Value {
        guard let value = try? JSONDecoder().decode(type, from: Data(line.utf8)) else {
            throw BenchError("\(Self.script) answered \"\(line)\"")
        }
        return value
    }
}
