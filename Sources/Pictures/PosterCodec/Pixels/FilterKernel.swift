import Glibc

/// A kernel of the resampler, for |x| < 3, from a table: Lanczos-3, sinc(x) · sinc(x / 3), or a Gaussian.
///
/// A render needs some thirty thousand values; two sines for each would cost as much as the filtering itself. Linear
/// interpolation between 1024 steps a unit is exact to 2e-6, far below the 16-bit weights made of it.
struct FilterKernel {
    /// The kernel's reach to each side, in units of the filter's scale.
    static let support = 3.0

    private static let stepsPerUnit = 1024

    private let table: [Double]

    /// Preserves details.
    static let lanczos = FilterKernel(table: Self.lanczosTable)
    /// Smooths details away.
    static let gaussian = FilterKernel(table: Self.gaussianTable)

    /// The standard deviation of the Gaussian, in units; at the end of its support it is 1e-4.
    private static let deviation = 0.7

    private static let gaussianTable: [Double] = (0...3 * stepsPerUnit + 1).map { step in
        let x = Double(step) / Double(Self.stepsPerUnit)
        return exp(-x * x / (2 * Self.deviation * Self.deviation))
    }

    private static let lanczosTable: [Double] = (0...3 * stepsPerUnit + 1).map { step in
        if step == 0 { return 1 }
        if step >= 3 * Self.stepsPerUnit { return 0 }
        let x = Double(step) / Double(Self.stepsPerUnit)
        let third = Self.sinePi(x / 3)
        // sin 3a = 3 sin a - 4 sin³ a.
        let whole = third * (3 - 4 * third * third)
        return 3 * whole * third / (.pi * .pi * x * x)
    }

    /// sin(πx) for x in 0...1, by its Taylor series, to a double's precision. The C library's sine would
    /// load 200 KB of tables.
    private static func sinePi(_ x: Double) -> Double {
        let angle = .pi * min(x, 1 - x)
        let square = angle * angle
        var sum = 1.0
        for factor in stride(from: 22.0, through: 2, by: -2) { sum = 1 - square / (factor * (factor + 1)) * sum }
        return angle * sum
    }

    /// Appends the kernel's values at `start`, `start + step` and so on; 0 beyond its support.
    func append(to values: inout [Float], from start: Double, by step: Double, count: Int) {
        self.table.withUnsafeBufferPointer { table in
            for index in 0..<count {
                let position = abs(start + Double(index) * step) * Double(Self.stepsPerUnit)
                guard position < Double(3 * Self.stepsPerUnit) else {
                    values.append(0)
                    continue
                }
                let place = Int(position)
                let below = table[place]
                values.append(Float(below + (table[place + 1] - below) * (position - Double(place))))
            }
        }
    }
}
