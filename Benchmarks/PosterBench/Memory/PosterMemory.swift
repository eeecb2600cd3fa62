/// What one poster takes in a process of its own.
struct PosterMemory {
    /// By how much it raises the peak of resident memory above a process that only loads the program and the input, in
    /// bytes: pixels, coefficients, tables, the encoder, the poster.
    let growth: Int
    /// The most that was allocated at once, in bytes, wherever it lies and whether it was touched or not.
    let heapPeak: Int
    /// Blocks asked for.
    let allocations: Int
    /// The poster itself.
    let outputBytes: Int

    /// The lowest peak of so many children each, because pages come and go with the weather.
    static let children = 3

    init(of way: Way, file: String, width: Int, above baseline: Baseline) throws(BenchError) {
        let child = try Child.lowest(file, width: width, way: way, hasColdCode: baseline.hasColdCode)
        self.growth = child.peak - baseline.peak
        self.heapPeak = child.heapPeak
        self.allocations = child.allocations
        self.outputBytes = child.outputBytes
    }

    /// A child that maps the input and reads all of its pages, and nothing else.
    struct Baseline {
        /// In bytes.
        let peak: Int
        /// Whether code counts that a poster is the first to touch.
        let hasColdCode: Bool

        init(file: String, hasColdCode: Bool) throws(BenchError) {
            self.peak = try Child.lowest(file, width: 1, way: nil, hasColdCode: hasColdCode).peak
            self.hasColdCode = hasColdCode
        }
    }

    /// What one child answered.
    private struct Child {
        let peak, heapPeak, allocations, outputBytes: Int

        static func lowest(
            _ file: String, width: Int, way: Way?, hasColdCode: Bool
        ) throws(BenchError) -> Child {
            var lowest = try Child(file, width: width, way: way, hasColdCode: hasColdCode)
            for _ in 1..<PosterMemory.children {
                let child = try Child(file, width: width, way: way, hasColdCode: hasColdCode)
                if child.peak < lowest.peak { lowest = child }
            }
            return lowest
        }

        private init(_ file: String, width: Int, way: Way?, hasColdCode: Bool) throws(BenchError) {
            let options = (way.map { ["--way", $0.rawValue] } ?? []) + (hasColdCode ? ["--cold-code"] : [])
            let text = try ChildProcess.run(["one-poster", "--width", "\(width)"] + options + ["--", file])
            let words = text.split { $0 == " " || $0 == "\n" }.compactMap { Int($0) }
            guard words.count == 4 else { throw BenchError("the child process answered \"\(text)\"") }
            (self.peak, self.heapPeak, self.allocations, self.outputBytes) = (words[0], words[1], words[2], words[3])
        }
    }
}
