/// How far one poster raises the peak of resident memory, above a process that only loads the program and the input.
struct PeakGrowth: Encodable {
    /// Everything: pixels, coefficients, tables, the encoder, code that is touched for the first time, the poster.
    let bytes: Int
    /// The poster itself.
    let outputBytes: Int

    var bytesAboveOutput: Int { self.bytes - self.outputBytes }

    /// The lowest peak of so many children each, because pages come and go with the weather.
    static let children = 3

    /// The baseline: a child that maps the input and reads all of its pages.
    static func baseline(_ file: String, width: Int) throws(BenchError) -> Int {
        try self.lowestPeak(file, width: width, way: nil).peak
    }

    init(of way: Way, file: String, width: Int, above baseline: Int) throws(BenchError) {
        let (peak, outputBytes) = try Self.lowestPeak(file, width: width, way: way)
        self.bytes = peak - baseline
        self.outputBytes = outputBytes
    }

    private static func lowestPeak(
        _ file: String,
        width: Int,
        way: Way?
    ) throws(BenchError) -> (peak: Int, outputBytes: Int) {
        var lowest = (peak: Int.max, outputBytes: 0)
        for _ in 0..<self.children {
            let option = way.map { ["--way", $0.rawValue] } ?? []
            let text = try ChildProcess.run(["measure-peak", "--width", "\(width)"] + option + ["--", file])
            let words = text.split { $0 == " " || $0 == "\n" }
            guard words.count == 2, let peak = Int(words[0]), let outputBytes = Int(words[1]) else {
                throw BenchError("the child process answered \"\(text)\"")
            }
            if peak < lowest.peak { lowest = (peak, outputBytes) }
        }
        return lowest
    }
}
