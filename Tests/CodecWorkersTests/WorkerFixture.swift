import CodecTesting
import Foundation
import Glibc
import PosterCodec
import Testing

@testable import CodecWorkers

/// A pool of workers that simulate the faults named in originals.
enum WorkerFixture {
    static func pool(
        count: Int = 1, limits: CodecLimits = .init(),
        _ change: (inout CodecWorkerPool.Configuration) throws -> Void = { _ in }
    ) throws -> CodecWorkerPool {
        var configuration = CodecWorkerPool.Configuration(count: count)
        configuration.program = FaultyWorkerProgram.path
        configuration.limits = limits
        // On a busy machine the default may pass before a worker has used its CPU time.
        configuration.replyGraceNanoseconds = 3_600_000_000_000
        try change(&configuration)
        return try CodecWorkerPool(configuration)
    }

    /// A picture, with a comment after its first marker if one is given.
    static func jpeg(width: Int = 600, height: Int = 900, comment: String = "", isProgressive: Bool = false) throws
        -> [UInt8]
    {
        let plain = try FormulaPicture.gradient(width: width, height: height).jpeg(
            quality: 90, isProgressive: isProgressive)
        guard !comment.isEmpty else { return plain }
        let text = Array(comment.utf8)
        return Array(plain[..<2]) + [0xFF, 0xFE, 0, UInt8(text.count + 2)] + text + plain[2...]
    }

    /// Number of faults in a run: ten thousand in `make test-faults`; `nil` for the default.
    static let faultCount = ProcessInfo.processInfo.environment["ONESHEET_FAULTS"].flatMap(Int.init)

    static func faulty(_ name: String) throws -> [UInt8] { try Self.jpeg(comment: "onesheet-fault:\(name);") }

    static func job(_ bytes: [UInt8], _ targets: [RenderTarget]) throws -> RenderJob {
        let header = try inspect(bytes.span.bytes, limits: .init())
        let sharing = DecodeSharing(
            targets.map { RenderJob.Target($0) }, of: header, byteCount: bytes.count, limits: .init())
        return try #require(sharing.jobs.first).job
    }

    static func retainingJob(
        _ bytes: [UInt8], _ target: RenderTarget, ladder: [Int] = [92, 154, 185, 300]
    ) throws -> RenderJob {
        let header = try inspect(bytes.span.bytes, limits: .init())
        let sharing = DecodeSharing(
            [RenderJob.Target(target)], of: header, byteCount: bytes.count, limits: .init())
        let job = try #require(sharing.jobs.first).retaining(
            ladder: ladder, byteLimit: 32 << 20, costFactor: 10
        ).job
        try #require(job.retention != nil)
        return job
    }

    /// The files of a job rendered by workers, in the order of its targets.
    static func files(
        _ pool: CodecWorkerPool, _ bytes: [UInt8], _ targets: [RenderTarget], limits: CodecLimits = .init()
    ) throws -> [[UInt8]] {
        let job = try Self.job(bytes, targets)
        let control = JobControl(targetCount: job.targets.count)
        let decoded = try bytes.withUnsafeBytes { bytes in
            try pool.decode(.memory(bytes), job: job, limits: limits, control: control)
        }
        return try Self.files(of: decoded, targets.count, control)
    }

    static func files(of decoded: DecodedJob, _ count: Int, _ control: JobControl) throws -> [[UInt8]] {
        var files = [[UInt8]](repeating: [], count: count)
        while let picture = decoded.pictures.next() {
            let file = try picture.encode(control: control)
            files[picture.index] = file.bytes.withUnsafeBytes { [UInt8]($0) }
        }
        return files
    }

    /// The files of a job rendered without workers.
    static func files(_ bytes: [UInt8], _ targets: [RenderTarget]) throws -> [[UInt8]] {
        let job = try Self.job(bytes, targets)
        let control = JobControl(targetCount: job.targets.count)
        return try Self.files(
            of: try decodeJob(bytes.span.bytes, job: job, control: control), targets.count, control)
    }
}

/// Whether a descriptor's memory can be mapped as writable.
func mmapForWriting(_ descriptor: Int32, byteCount: Int) -> Bool {
    let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard memory != MAP_FAILED else { return false }
    munmap(memory, byteCount)
    return true
}
