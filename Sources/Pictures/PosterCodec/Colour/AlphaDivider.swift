/// Undoes the multiplication of a row by alpha.
struct AlphaDivider: ~Copyable {
    /// 2²⁴ over alpha, rounded up: exact for every numerator that occurs. 0 for 0.
    private let reciprocals = [0] + (1...255).map { (UInt32(1 << 24) + $0 - 1) / $0 }
    /// The reciprocals of a row's alphas, looked up once for all of its channels.
    private let scales: UnsafeMutablePointer<UInt32>
    private let width: Int

    init(width: Int) {
        self.width = width
        self.scales = .allocate(capacity: width)
        self.scales.initialize(repeating: 0, count: width)
    }

    deinit {
        self.scales.deallocate()
    }

    /// To be called once a row, before its channels are divided.
    func prepare(_ alphas: UnsafePointer<UInt8>) {
        self.reciprocals.withUnsafeBufferPointer { reciprocals in
            let scales = self.scales
            for x in 0..<self.width { scales[x] = reciprocals[Int(alphas[x])] }
        }
    }

    /// What is larger than alpha, as ringing may make it, becomes 255.
    func divide(
        _ row: UnsafePointer<UInt8>, by alphas: UnsafePointer<UInt8>, into result: UnsafeMutablePointer<UInt8>
    ) {
        let scales = self.scales
        for x in 0..<self.width {
            let alpha = Int32(alphas[x])
            let numerator = UInt32(bitPattern: min(Int32(row[x]), alpha) &* 255 &+ alpha &>> 1)
            result[x] = UInt8(truncatingIfNeeded: (numerator &* scales[x]) &>> 24)
        }
    }
}
