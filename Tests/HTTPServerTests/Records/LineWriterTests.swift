import Dispatch
import Glibc
import HTTPServer
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct LineWriterTests {
    /// Longer than any reader of these tests takes on a slow machine.
    private static let patience = DispatchTimeInterval.seconds(50)

    @Test func linesArriveInTurnAndAllBeforeTheEnd() async throws {
        let pipe = try OutputPipe()
        let writer = try LineWriter(descriptor: pipe.descriptor, closingTime: Self.patience)
        let count = 20_000
        async let text = onOwnThread { String(decoding: pipe.readAll(), as: UTF8.self) }
        for number in 0..<count { writer.write("\(number)\n") }
        try await onOwnThread { writer.close() }
        pipe.closeWriting()
        let lines = try await text.split(separator: "\n")
        #expect(lines == (0..<count).map { Substring("\($0)") })
        #expect(writer.droppedCount == 0)
        writer.write("late\n")
        #expect(writer.droppedCount == 1)
    }

    @Test func writersDoNotWaitForAPipeWithoutAReader() async throws {
        let pipe = try OutputPipe()
        let limit = 100_000
        let writer = try LineWriter(descriptor: pipe.descriptor, limit: limit, closingTime: Self.patience)
        let line = String(repeating: "x", count: 999) + "\n"
        // The pipe holds 64 KiB, and the line being written counts too.
        let count = 1000
        for _ in 0..<count { writer.write(line) }
        let dropped = writer.droppedCount
        #expect(dropped > 0 && dropped < count)
        async let length = onOwnThread { pipe.readAll().count }
        try await onOwnThread { writer.close() }
        pipe.closeWriting()
        let written = try await length
        #expect(written == (count - dropped) * line.utf8.count)
    }

    @Test func aReaderThatHasGoneCostsItsLinesAndNothingElse() async throws {
        let descriptor = try {
            let pipe = try OutputPipe()
            // The other end closes with the pipe; this one remains open.
            return dup(pipe.descriptor)
        }()
        defer { close(descriptor) }
        let writer = try LineWriter(descriptor: descriptor)
        for _ in 0..<3 { writer.write("line\n") }
        try await onOwnThread { writer.close() }
        #expect(writer.droppedCount == 3)
    }
}
