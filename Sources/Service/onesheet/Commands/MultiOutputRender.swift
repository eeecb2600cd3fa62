import ArgumentParser
import Flights
import OneSheetConfiguration
import OneSheetServer
import PosterCodec
import PosterOrigins
import PosterPipeline

/// Renders several outputs of one file from as few decodes as possible.
struct MultiOutputRender {
    let render: FileRender
    let bytes: LoadedBytes

    private struct Share {
        let decode: DecodeSharing.Decode
        let outputs: [Int]
    }

    private struct Rendered {
        let bytes: [UInt8]
        let timings: StageTimings
    }

    private struct Pass {
        let header: ImageHeader
        let shares: [Share]
        /// One result per output.
        var results: [Result<Rendered, CodecError>]
        var milliseconds: RenderReport.Milliseconds
    }

    /// - Throws: ``ExitCode`` if some of the outputs fail, after the others were written.
    func run() throws {
        var times: [RenderReport.Milliseconds] = []
        var encodings: [[Double]] = .init(repeating: [], count: self.render.outputs.count)
        var last: Pass?
        for _ in 0..<self.render.repetitions {
            let pass = try self.pass()
            times.append(pass.milliseconds)
            for (index, result) in pass.results.enumerated() {
                if case .success(let file) = result {
                    encodings[index].append(RenderReport.Milliseconds.milliseconds(file.timings.encode))
                }
            }
            last = pass
        }
        guard let last else { return }
        var report = JobReport(
            source: .init(last.header, bytes: self.bytes.count), milliseconds: .medians(of: times))
        for share in last.shares {
            report.decodes.append(.init(share.decode, targets: share.outputs))
            for (index, member) in share.decode.members.enumerated() {
                let output = share.outputs[index]
                let plan = try share.decode.job.plan(index, limits: self.render.limits)
                let path = self.render.pattern.path(of: self.render.outputs[output], size: plan.size)
                var target = try JobReport.Target(
                    index: output, path: path, plan: plan,
                    ownScale: RenderPlan(
                        last.header, target: self.render.outputs[output].target, limits: self.render.limits
                    ).scale,
                    reason: member.reason)
                switch last.results[output] {
                case .success(let file):
                    try AtomicFile.write(file.bytes, to: path)
                    target.bytes = file.bytes.count
                    target.encodeMilliseconds = encodings[output].sorted()[encodings[output].count / 2]
                case .failure(let error): target.error = "\(error)"
                }
                report.targets.append(target)
            }
        }
        let failures = self.failures(of: last)
        if self.render.explains {
            report.targets.sort { $0.index < $1.index }
            try StandardOutput.write(self.render.isJSON ? try JSONLine.encode(report) : report.text)
        }
        for failure in failures { StandardError.write("onesheet: \(failure)") }
        if !failures.isEmpty { throw ExitCode.failure }
    }

    private func failures(of pass: Pass) -> [String] {
        zip(self.render.outputs, pass.results).compactMap { output, result in
            guard case .failure(let error) = result else { return nil }
            let size = try? Framing(of: pass.header.uprightSize, as: output.target).size
            return "\(self.render.pattern.path(of: output, size: size)): \(error)"
        }
    }

    private func pass() throws -> Pass {
        let start = Uptime.nanoseconds()
        let header = try self.render.header(of: self.bytes)
        var (shares, results) = self.division(of: header)
        let probed = Uptime.nanoseconds()
        var (decode, resample, encode) = (UInt64(0), UInt64(0), UInt64(0))
        for share in shares {
            var shared: UInt64 = 0
            try self.rendered(share) { output, result in
                results[output] = result
                guard case .success(let file) = result else { return }
                shared = max(shared, file.timings.decode)
                resample += file.timings.resample
                encode += file.timings.encode
            }
            decode += shared
        }
        let end = Uptime.nanoseconds()
        return Pass(
            header: header, shares: shares, results: results,
            milliseconds: .init(
                probe: probed - start, decode: decode, resample: resample, encode: encode, total: end - start))
    }

    private func rendered(
        _ share: Share, deliver: (Int, Result<Rendered, CodecError>) -> Void
    ) throws {
        try self.render.codec.pictures(self.bytes, job: share.decode.job) { index, result in
            switch consume result {
            case .success(let file):
                let bytes = file.bytes.withUnsafeBytes { [UInt8]($0) }
                deliver(share.outputs[index], .success(Rendered(bytes: bytes, timings: file.timings)))
            case .failure(let error): deliver(share.outputs[index], .failure(error))
            }
        }
    }

    /// The decodes, and an initial result for each output: the error of an output that cannot be planned; for others
    /// the error that no result was delivered.
    private func division(of header: ImageHeader) -> (shares: [Share], results: [Result<Rendered, CodecError>]) {
        let targets = self.render.outputs.map { RenderJob.Target($0.target) }
        let groups = self.render.isAlone ? targets.indices.map { [$0] } : [Array(targets.indices)]
        var shares: [Share] = []
        var results = [Result<Rendered, CodecError>](
            repeating: .failure(.internalError(reason: "a result was not delivered")), count: targets.count)
        for group in groups {
            let sharing = DecodeSharing(
                group.map { targets[$0] }, of: header, byteCount: self.bytes.count, limits: self.render.limits)
            shares += sharing.jobs.map { decode in
                Share(decode: decode, outputs: decode.members.map { group[$0.index] })
            }
            for (index, error) in sharing.failures { results[group[index]] = .failure(error) }
        }
        return (shares, results)
    }
}
