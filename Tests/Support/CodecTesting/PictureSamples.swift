/// Loops over the samples of whole pictures, here because this target is optimised in debug builds, too.
extension [UInt8] {
    /// Soft gradients of 1, 3 or 4 samples a pixel; the fourth is 255.
    package static func gradient(_ width: Int, _ height: Int, channels: Int) -> [UInt8] {
        var samples: [UInt8] = []
        samples.reserveCapacity(width * height * channels)
        for y in 0..<height {
            let down = 100 * y / height
            for x in 0..<width {
                let across = 150 * x / width
                samples.append(UInt8(across + down))
                if channels > 1 { samples.append(UInt8(200 - across / 2)) }
                if channels > 2 { samples.append(UInt8(40 + down)) }
                if channels > 3 { samples.append(255) }
            }
        }
        return samples
    }

    /// The largest difference from samples of another picture of the same shape; 0 if both are empty.
    package func largestDifference(from others: [UInt8]) -> Int {
        var largest = 0
        for (mine, other) in zip(self, others) { largest = Swift.max(largest, abs(Int(mine) - Int(other))) }
        return largest
    }

    /// The mean absolute difference from samples of another picture of the same shape, at the indices of `range`.
    package func meanDifference(from others: [UInt8], in range: Range<Int>) -> Double {
        var sum = 0
        for index in range { sum += abs(Int(self[index]) - Int(others[index])) }
        return Double(sum) / Double(range.count)
    }
}
