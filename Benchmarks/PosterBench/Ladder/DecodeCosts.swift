import PosterCodec

/// Measures decode costs at each scale, and by a JPEG's bytes and blocks, for the estimates of the plan.
struct DecodeCosts {
    let originals: [SpeedOriginal]
    let rounds: Int

    private struct Measurement {
        let kind: String
        let scale: DecodeScale
        let effort: RenderTarget.Effort
        let pixels, byteCount, blocks, coded: Double
        /// CPU time of the best round, in nanoseconds.
        let decode, resample, encode: Double
        /// Luma samples that the resampler reads, and pixels of the poster.
        let samples, posterPixels: Double
    }

    func outcome() throws -> Outcome {
        var measurements: [Measurement] = []
        var notes: [String] = []
        var progress = Progress(count: self.originals.count)
        for original in self.originals {
            progress.step(original.name)
            do {
                measurements += try self.measured(MappedFile(original.file))
            } catch let error as CodecError {
                notes.append("\(original.name): \(error)")
            }
        }
        progress.finish()
        guard !measurements.isEmpty else { throw BenchError("none of the files can be rendered") }
        var outcome = Outcome()
        outcome.tables = [
            .init(title: "Decoding by scale, best times, medians over the files", rows: Self.rows(measurements)),
            .init(
                title: "Decoding of JPEGs whose data is all read, in ns (least squares)", rows: Self.fits(measurements)),
            .init(
                title: "Decoding of others at full size, in ns (least squares)", rows: Self.wholeFits(measurements)),
        ]
        outcome.notes = notes
        return outcome
    }

    /// Renders a JPEG for each scale that some width uses; progressive JPEGs with and without all scans.
    private func measured(_ input: borrowing MappedFile) throws -> [Measurement] {
        let header = try inspect(input.bytes.bytes, limits: .init())
        var plans: [RenderPlan] = []
        for effort in header.format == .jpeg && header.isProgressive ? [.full, .balanced] : [RenderTarget.Effort.full] {
            for width in stride(from: min(header.uprightSize.width, 1000), to: 31, by: -8) {
                let plan = try RenderPlan(header, target: RenderTarget(width: width, format: .jpeg, effort: effort))
                // The largest width of each scale: it skips the fewest scans.
                if !plans.contains(where: { $0.scale == plan.scale && $0.effort == effort }) { plans.append(plan) }
            }
        }
        return try plans.map { plan in
            var best = StageTimings()
            var least = UInt64.max
            for _ in 0...self.rounds {
                let file = try renderFile(input.bytes.bytes, plan: plan, control: RenderControl(now: Clock.cpu))
                guard file.timings.decode < least else { continue }
                (best, least) = (file.timings, file.timings.decode)
            }
            return Measurement(
                kind: FileSpeed.kind(header), scale: plan.scale, effort: plan.effort,
                pixels: Double(header.width * header.height), byteCount: Double(input.bytes.count),
                blocks: Self.blocks(header), coded: Double(header.coding?.sampleCount ?? header.width * header.height),
                decode: Double(best.decode),
                resample: Double(best.resample),
                encode: Double(best.encode),
                samples: Double(plan.scale.decoded(header.width) * plan.scale.decoded(header.height)),
                posterPixels: Double(plan.size.width * plan.size.height))
        }
    }

    /// Number of 8×8 blocks in all components.
    private static func blocks(_ header: ImageHeader) -> Double {
        let across = header.sampling.map(\.horizontal).max() ?? 1
        let down = header.sampling.map(\.vertical).max() ?? 1
        let share = header.sampling.reduce(0) { $0 + Double($1.horizontal * $1.vertical) } / Double(across * down)
        return Double(header.width * header.height) / 64 * share
    }

    private static func rows(_ all: [Measurement]) -> [[String]] {
        var rows = [
            ["originals", "scale", "effort", "files", "ns/pixel", "least", "most", "resample/sample", "JPEG/pixel"]
        ]
        for kind in Set(all.map(\.kind)).sorted() {
            let ofKind = all.filter { $0.kind == kind }
            for effort in [RenderTarget.Effort.full, .balanced] {
                for scale in Set(ofKind.map(\.scale)).sorted(by: { Self.factor($0) < Self.factor($1) }) {
                    let some = ofKind.filter { $0.scale == scale && $0.effort == effort }
                    guard !some.isEmpty else { continue }
                    let costs = some.map { $0.decode / $0.pixels }
                    rows.append([
                        kind, scale.description, effort.rawValue, "\(some.count)", Median.of(costs).fixed(2),
                        costs.min()!.fixed(2), costs.max()!.fixed(2),
                        Median.of(some.map { $0.resample / $0.samples }).fixed(3),
                        Median.of(some.map { $0.encode / $0.posterPixels }).fixed(2),
                    ])
                }
            }
        }
        return rows
    }

    private static func factor(_ scale: DecodeScale) -> Double {
        Double(scale.numerator) / Double(scale.denominator)
    }

    /// Cost of a byte, and of a block at each scale.
    private static func fits(_ all: [Measurement]) -> [[String]] {
        let scales = [1, 2, 4, 8]
        var rows = [["originals", "a byte"] + scales.map { "a block at \($0)/8" } + ["mean error"]]
        for kind in ["baseline JPEG", "progressive JPEG"] {
            let some = all.filter { $0.kind == kind && $0.effort == .full }
            let equations = some.map { one -> (left: [Double], right: Double) in
                let eighths = one.scale.numerator * 8 / one.scale.denominator
                return ([one.byteCount] + scales.map { $0 == eighths ? one.blocks : 0 }, one.decode)
            }
            if let fit = Self.fit(equations) { rows.append([kind] + fit) }
        }
        return rows
    }

    /// Cost of a byte, and of a coded sample or pixel, for formats without scaled decoding.
    private static func wholeFits(_ all: [Measurement]) -> [[String]] {
        var rows = [["originals", "files", "a byte", "a sample", "mean error"]]
        for kind in Set(all.map(\.kind)).sorted() where !kind.hasSuffix("JPEG") {
            let some = all.filter { $0.kind == kind && $0.scale == .none }
            if let fit = Self.fit(some.map { ([$0.byteCount, $0.coded], $0.decode) }) {
                rows.append([kind, "\(some.count)"] + fit)
            }
        }
        return rows
    }

    /// The unknowns and the mean error; `nil` if they are not determined.
    private static func fit(_ equations: [(left: [Double], right: Double)]) -> [String]? {
        guard let values = LeastSquares.solve(equations) else { return nil }
        let errors = equations.map { left, right in
            abs(zip(left, values).reduce(0) { $0 + $1.0 * $1.1 } - right) / right
        }
        return values.map { $0.fixed(2) } + ["\((100 * errors.reduce(0, +) / Double(errors.count)).fixed(0)) %"]
    }
}

/// Linear least squares by the normal equations, with each equation divided by its right side: minimises relative
/// errors.
enum LeastSquares {
    /// - Returns: `nil` if the equations do not determine all unknowns.
    static func solve(_ equations: [(left: [Double], right: Double)]) -> [Double]? {
        guard let count = equations.first?.left.count, equations.count >= count else { return nil }
        var matrix = [[Double]](repeating: [Double](repeating: 0, count: count + 1), count: count)
        for (left, right) in equations where right > 0 {
            for row in 0..<count {
                for column in 0..<count { matrix[row][column] += left[row] * left[column] / (right * right) }
                matrix[row][count] += left[row] / right
            }
        }
        for pivot in 0..<count {
            let best = (pivot..<count).max { matrix[$0][pivot].magnitude < matrix[$1][pivot].magnitude }!
            // Relative to the largest entry: columns of bytes and of blocks differ by orders of magnitude.
            let largest = matrix.joined().map(\.magnitude).max()!
            guard matrix[best][pivot].magnitude > 1e-12 * largest else { return nil }
            matrix.swapAt(pivot, best)
            for row in 0..<count where row != pivot {
                let factor = matrix[row][pivot] / matrix[pivot][pivot]
                for column in pivot...count { matrix[row][column] -= factor * matrix[pivot][column] }
            }
        }
        return matrix.indices.map { matrix[$0][count] / matrix[$0][$0] }
    }
}
