import CodecTesting
import CodecWorkers
import Logging
import PictureTesting
import PosterCodec
import PosterPipeline
import PosterTesting
import ServiceTesting
import Testing

@testable import FaultyCodecWorker

/// Originals that crash their worker processes, and the clients' responses, over real sockets.
@Suite(.timeLimit(.hang))
struct WorkerFaultHTTPTests {
    private static let picture = [UInt8](TestPicture.jpeg(width: 300, height: 450))

    /// A picture with a comment that names a fault.
    private static func faulty(_ fault: PlantedFault) -> [UInt8] {
        let text = Array("onesheet-fault:\(fault.rawValue);".utf8)
        return self.picture[..<2] + [0xFF, 0xFE, 0, UInt8(text.count + 2)] + text + self.picture[2...]
    }

    private static func settings() throws -> LiveServer.Settings {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var configuration = CodecWorkerPool.Configuration(count: 2)
        configuration.program = FaultyWorkerProgram.path
        // On a busy machine the default may pass before a worker has used its CPU time.
        configuration.replyGraceNanoseconds = 3_600_000_000_000
        var settings = LiveServer.Settings()
        settings.workers = try CodecWorkerPool(configuration)
        settings.quarantine = Quarantine(logger: logger, secondsSince1970: { 0 }, save: { _ in })
        return settings
    }

    @Test func aFaultFailsOneRequestWhileOthersNoticeNothing() async throws {
        let settings = try Self.settings()
        let faults: [PlantedFault: String] = [
            .segfault: "accessed invalid memory", .hugeAllocation: "trapped", .opensFile: "system call",
            .malformedMessage: "malformed message", .exits: "exited",
        ]
        try await withOrigin { origin in
            origin.on("/good.jpg", .image(Self.picture))
            for fault in faults.keys { origin.on("/\(fault.rawValue).jpg", .image(Self.faulty(fault))) }
            try await LiveServer.run(origin: origin, settings) { server in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (fault, reason) in faults {
                        group.addTask {
                            let answer = try await server.get("/poster/mine:\(fault.rawValue).jpg?w=92")
                            #expect(answer.status == 502 && answer.text.contains(reason), "\(answer.text)")
                            #expect(answer.headers["content-type"] == "application/problem+json")
                        }
                    }
                    for width in 50..<80 {
                        group.addTask {
                            let answer = try await server.get("/poster/mine:good.jpg?w=\(width)&format=jpeg")
                            #expect(answer.status == 200 && answer.body.starts(with: [0xFF, 0xD8]))
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(settings.workers?.counters.failures == faults.count)
            }
        }
    }

    @Test(arguments: [("abort", "aborted"), ("endlessLoop", "exceeded its CPU time limit")])
    func anOriginalThatHasEndedTwoWorkersReachesNoOther(_ name: String, _ reason: String) async throws {
        var settings = try Self.settings()
        settings.limits.maxCPUNanoseconds = 50_000_000
        let fault = try #require(PlantedFault(rawValue: name))
        try await withOrigin { [settings] origin in
            origin.on("/bad.jpg", .image(Self.faulty(fault)))
            try await LiveServer.run(origin: origin, settings) { server in
                // Two decodes that cannot be shared: a shared one would not be tried twice.
                for width in [20, 300] {
                    let answer = try await server.get("/poster/mine:bad.jpg?w=\(width)")
                    #expect(answer.status == 502 && answer.text.contains(reason), "\(answer.text)")
                }
                let failures = settings.workers?.counters.failures
                let answer = try await server.get("/poster/mine:bad.jpg?w=150")
                #expect(answer.status == 502 && answer.text.contains("the file is quarantined"), "\(answer.text)")
                #expect(settings.workers?.counters.failures == failures)
                #expect(settings.quarantine?.usage.count == 1)
            }
        }
    }
}
