@testable import PosterCodec

extension [UInt8] {
    /// - Parameter eighths: The scale of the decode; if `nil`, the largest that a target needs.
    func job(_ targets: [RenderTarget], eighths: Int? = nil) throws(CodecError) -> RenderJob {
        let header = try self.header()
        var scale = DecodeScale.eighths(1)
        for (index, target) in targets.enumerated() {
            let own = try RenderPlan(header, target: target).scale
            if index == 0 || own > scale { scale = own }
        }
        return RenderJob(
            source: header, byteCount: self.count, targets: targets.map { RenderJob.Target($0) },
            scale: eighths.map(DecodeScale.eighths) ?? scale)
    }

    /// The results by target index.
    func rendered(
        _ job: RenderJob, limits: CodecLimits = .init(), control: JobControl? = nil,
        kernel: ResampleKernel = .fastest
    ) throws(CodecError) -> [Int: Result<[UInt8], CodecError>] {
        let control = control ?? JobControl(targetCount: job.targets.count)
        let decoded = try decodeJob(self.span.bytes, job: job, limits: limits, control: control, kernel: kernel)
        var results: [Int: Result<[UInt8], CodecError>] = [:]
        while let picture = decoded.pictures.next() {
            do throws(CodecError) {
                results[picture.index] = .success(try picture.encode(limits: limits, control: control).bytes.array)
            } catch {
                results[picture.index] = .failure(error)
            }
        }
        return results
    }
}

/// Drops targets of a job at a given reading of its clock.
final class DroppingClock: Sendable {
    private let ticks = Ticks()
    private let moment: UInt64
    private let targets: [Int]

    /// - Parameter moment: The reading, counted from 1.
    init(dropping targets: [Int], at moment: UInt64) {
        self.targets = targets
        self.moment = moment
    }

    /// The number of readings.
    var count: UInt64 { self.ticks.count }

    func control(targetCount: Int) -> JobControl {
        let later = LaterControl()
        let control = JobControl(
            targetCount: targetCount,
            now: {
                let reading = self.ticks.next()
                if reading == self.moment { for target in self.targets { later.control?.drop(target) } }
                return reading
            })
        later.control = control
        return control
    }
}

/// A control that its own clock refers to.
private final class LaterControl: @unchecked Sendable {
    // Unchecked: set once, before the job begins.
    weak var control: JobControl?
}
