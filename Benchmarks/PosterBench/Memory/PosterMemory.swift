/// Memory use of one poster in a separate process.
struct PosterMemory {
    /// Growth of the peak of resident memory over a process that only loads the program and the input, in bytes:
    /// pixels, coefficients, tables, the encoder, the poster.
    let growth: Int
    /// Peak of allocated bytes, in the heap or in mappings, touched or not.
    let heapPeak: Int
    let allocations: Int
    let outputBytes: Int

    /// Number of children per measurement; the lowest peak counts, because resident pages vary.
    static let children = 3

    init(of way: Way, file: String, width: Int, above baseline: Baseline) throws(BenchError) {
        let child = try Child.lowest(file, width: width, way: way, hasColdCode: baseline.hasColdCode)
        self.growth = child.peak - baseline.peak
        self.heapPeak = child.heapPeak
        self.allocations = child.allocations
        self.outputBytes = child.outputBytes
    }

    /// A child that only maps the input and reads all of its pages.
    struct Baseline {
        /// In bytes.
        let peak: Int
        /// Whether code that the poster is the first to touch counts.
        let hasColdCode: Bool

        init(file: String, hasColdCode: Bool) throws(BenchError) {
            self.peak = try Child.lowest(file, width: 1, way: nil, hasColdCode: hasColdCode).peak
            self.hasColdCode = hasColdCode
        }
    }

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
