import CPosterCodecs

/// One scale of the likeness: takes pairs of rows from the top and adds up their errors.
///
/// An error needs four rows above and four below, so it is computed four rows later; only these rows are kept. Beyond
/// its edges a picture is zero, as published. Not thread-safe.
final class LikenessScale {
    /// The lowest side of a picture that has a next scale.
    static let lowestSide = 8
    /// The rows above and below the current one.
    private static let reach = 4
    private static let window = 2 * LikenessScale.reach + 1

    let width, height: Int
    /// Half as wide and half as high; `nil` for the last one.
    let next: LikenessScale?
    private let kernel: LikenessKernel
    /// Two slots of six rows: red, green and blue of the original, then of the copy.
    private let light: LikenessRows
    /// The rows before blurring, six a slot.
    private let xyb: LikenessRows
    /// The rows blurred horizontally, twelve a slot.
    private let blurred: LikenessRows
    private let scratch: LikenessRows
    private var rowCount = 0
    /// Six for each channel; see `poster_likeness_errors`.
    private var sums = [Double](repeating: 0, count: 18)

    /// - Parameter count: The number of scales, this one included; there are fewer if they become too small.
    init(width: Int, height: Int, count: Int, kernel: LikenessKernel) {
        self.width = width
        self.height = height
        self.kernel = kernel
        self.next =
            count > 1 && min(width, height) >= Self.lowestSide
            ? LikenessScale(width: (width + 1) / 2, height: (height + 1) / 2, count: count - 1, kernel: kernel) : nil
        self.light = LikenessRows(count: 12, width: width)
        self.xyb = LikenessRows(count: 6 * (Self.reach + 1), width: width)
        self.blurred = LikenessRows(count: 12 * Self.window, width: width)
        self.scratch = LikenessRows(count: 3, width: width)
    }

    /// The rows of all buffers.
    static var rowCount: Int { 12 + 6 * (Self.reach + 1) + 12 * Self.window + 3 }

    /// Where to write the next row of linear light: red, green and blue of the original, then of the copy.
    func nextRow(_ channel: Int) -> UnsafeMutablePointer<Float> { self.light[self.rowCount % 2 * 6 + channel] }

    /// Proceeds after the next row of all six channels was written.
    func rowWasWritten() {
        let slot = self.rowCount % 2 * 6
        // An odd column counts twice in the next scale.
        for channel in 0..<6 { self.light[slot + channel][self.width] = self.light[slot + channel][self.width - 1] }
        poster_likeness_row(
            self.light[slot], self.xyb[self.rowCount % (Self.reach + 1) * 6], self.scratch[0],
            self.blurred[self.rowCount % Self.window * 12], self.light.stride, self.width, self.kernel.avx2)
        self.addErrors()
        if self.rowCount % 2 == 0 { self.halve(0, 6) }
        if self.rowCount == self.height { self.finish() }
    }

    /// Adds the errors of the row that now has all its neighbours, and counts the latest row.
    private func addErrors() {
        self.rowCount += 1
        let row = self.rowCount - 1 - Self.reach
        guard row >= 0 else { return }
        let xyb = row % (Self.reach + 1) * 6
        for channel in 0..<3 {
            withUnsafeTemporaryAllocation(of: UnsafePointer<Float>.self, capacity: Self.window) { rows in
                for index in 0..<Self.window {
                    let slot = (row + index + Self.window - Self.reach) % Self.window
                    rows[index] = UnsafePointer(self.blurred[slot * 12 + channel * 4])
                }
                self.sums.withUnsafeMutableBufferPointer { sums in
                    poster_likeness_errors(
                        rows.baseAddress!, self.xyb[xyb + channel], self.xyb[xyb + 3 + channel],
                        sums.baseAddress! + 6 * channel, self.light.stride, self.width, self.kernel.avx2)
                }
            }
        }
    }

    private func halve(_ upper: Int, _ lower: Int) {
        guard let next else { return }
        poster_likeness_halve(
            self.light[upper], self.light[lower], self.light.stride, next.nextRow(0), next.light.stride, next.width,
            self.kernel.avx2)
        next.rowWasWritten()
    }

    private func finish() {
        // An odd row counts twice in the next scale.
        if self.height % 2 == 1 { self.halve(0, 0) }
        for _ in 0..<Self.reach {
            self.blurred[self.rowCount % Self.window * 12].update(repeating: 0, count: 12 * self.blurred.stride - 8)
            self.addErrors()
        }
    }

    /// For each channel the means of the three errors, then the fourth roots of the means of their fourth powers.
    var norms: [[Double]] {
        let pixels = Double(self.width * self.height)
        return (0..<3).map { channel in
            let means = self.sums[6 * channel..<6 * channel + 6].map { $0 / pixels }
            return [0, 2, 4].map { means[means.startIndex + $0] }
                + [1, 3, 5].map { means[means.startIndex + $0].squareRoot().squareRoot() }
        }
    }
}
