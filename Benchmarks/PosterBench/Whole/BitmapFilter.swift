import Glibc

/// Lanczos-3 weights along one axis of a bitmap, normalised per output pixel over the existing input pixels.
struct BitmapFilter {
    struct Span {
        let first: Int
        let weights: Range<Int>
    }

    private(set) var spans: [Span] = []
    private(set) var weights: [Float] = []

    init(inputCount: Int, outputCount: Int) {
        let inputPerOutput = Double(inputCount) / Double(outputCount)
        let scale = max(1, inputPerOutput)
        for index in 0..<outputCount {
            let center = (Double(index) + 0.5) * inputPerOutput
            let first = max(0, Int((center - 3 * scale + 0.5).rounded(.down)))
            let end = min(inputCount, Int((center + 3 * scale + 0.5).rounded(.down)))
            let exact = (first..<end).map { Self.lanczos((Double($0) + 0.5 - center) / scale) }
            let sum = exact.reduce(0, +)
            self.spans.append(Span(first: first, weights: self.weights.count..<self.weights.count + exact.count))
            self.weights += exact.map { Float($0 / sum) }
        }
    }

    private static func lanczos(_ x: Double) -> Double {
        if x == 0 { return 1 }
        if abs(x) >= 3 { return 0 }
        let angle = x * .pi
        return sin(angle) / angle * sin(angle / 3) / (angle / 3)
    }
}
