import Glibc

/// The EETF of BT.2390 (5.4.1): compresses luminances from 0...peak to 0...reference white. Black stays black.
struct ToneCurve {
    /// The peak's PQ signal; reference white's PQ signal as a fraction of it.
    private let peak, white: Double
    /// The start of compression, as a fraction of the peak's PQ signal.
    private let knee: Double

    /// - Parameter peak: In cd/m², at least reference white.
    init(peak: Double) {
        self.peak = Self.pq(peak)
        self.white = Self.pq(TransferCurve.referenceWhite) / self.peak
        self.knee = 1.5 * self.white - 0.5
    }

    /// - Parameter luminance: In cd/m².
    /// - Returns: The result's luminance as a fraction of its white, 0...1.
    func callAsFunction(_ luminance: Double) -> Double {
        let source = min(1, Self.pq(luminance) / self.peak)
        var result = source
        if source > self.knee, self.knee < 1 {
            let t = (source - self.knee) / (1 - self.knee)
            let (square, cube) = (t * t, t * t * t)
            result =
                (2 * cube - 3 * square + 1) * self.knee + (cube - 2 * square + t) * (1 - self.knee)
                + (3 * square - 2 * cube) * self.white
        }
        return min(1, Self.luminance(pq: result * self.peak) / TransferCurve.referenceWhite)
    }

    // The constants of BT.2100.
    private static let (m1, m2) = (2610 / 16384.0, 2523 / 32.0)
    private static let (c1, c2, c3) = (3424 / 4096.0, 2413 / 128.0, 2392 / 128.0)

    /// The signal of a luminance in cd/m².
    static func pq(_ luminance: Double) -> Double {
        let power = pow(max(0, luminance) / TransferCurve.pqPeak, self.m1)
        return pow((self.c1 + self.c2 * power) / (1 + self.c3 * power), self.m2)
    }

    /// The luminance in cd/m² of a signal.
    static func luminance(pq signal: Double) -> Double {
        let power = pow(signal, 1 / self.m2)
        return TransferCurve.pqPeak * pow(max(0, power - self.c1) / (self.c2 - self.c3 * power), 1 / self.m1)
    }
}
