/// Estimates the CPU time of decoding an original and of resampling from it, in nanoseconds.
///
/// Only comparisons matter, between one decode for several targets and a decode for each. The constants were measured
/// with `poster-bench ladder --costs` on one core with AVX2.
struct DecodeCost {
    let source: ImageHeader
    /// The original's size in bytes.
    let byteCount: Int
    /// Per sample that a pass of the filter reads.
    var filtered = 0.22
    /// Per sample that is averaged with three others.
    var halved = 0.06

    /// The cost of reading the whole file at a scale.
    func decoding(at scale: DecodeScale, effort: RenderTarget.Effort) -> Double {
        self.source.format.decoding.decodingNanoseconds(
            of: self.source, byteCount: self.byteCount, at: scale, effort: effort)
    }

    /// The cost of a decode at the plans' scale and of resampling for all plans.
    ///
    /// - Parameter plans: At least one; all of one scale.
    func total(_ plans: [RenderPlan]) -> Double {
        self.decoding(at: plans[0].scale, effort: plans[0].effort) + self.resampling(plans)
    }

    /// Counts the filter along columns once per distinct size, along rows once per target, and each halving once.
    private func resampling(_ plans: [RenderPlan]) -> Double {
        var cost = 0.0
        for (index, plane) in DecodedPlane.planes(of: self.source, at: plans[0].scale).enumerated() {
            let width = Double(self.source.width) * plane.across
            let height = Double(self.source.height) * plane.down
            var columns: Set<ColumnPass> = []
            var deepest = 0
            for plan in plans {
                let pass = ColumnPass(
                    framing: plan.framing, plane: index, level: plan.level(of: plane),
                    pixelsPerSample: plan.pixelsPerSample(of: plane))
                let levelWidth = width / Double(1 << pass.level)
                let size = plan.framing.resampledSize
                let rows = self.source.orientation.swapsSides ? size.width : size.height
                cost += self.filtered * levelWidth * Double(rows) / Double(pass.pixelsPerSample)
                if columns.insert(pass).inserted {
                    cost += self.filtered * levelWidth * height / Double(1 << pass.level)
                }
                deepest = max(deepest, pass.level)
            }
            for level in 0..<deepest { cost += self.halved * width * height / Double(1 << (2 * level)) }
        }
        return cost
    }

    private struct ColumnPass: Hashable {
        let framing: Framing
        let plane, level, pixelsPerSample: Int
    }
}

extension RenderPlan {
    /// The estimated CPU time of encoding, in nanoseconds.
    var encodingCost: UInt32 { UInt32(clamping: self.size.pixels * self.encoder.nanosecondsPerPixel) }
}
