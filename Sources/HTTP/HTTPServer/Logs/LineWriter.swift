package import Dispatch
import Glibc
import Synchronization

/// Writes lines to a descriptor from a thread of its own, so that a caller never waits for the reader.
///
/// Lines that find ``bufferLimit`` bytes waiting are dropped and counted. The lock guards those that wait.
package final class LineWriter: Sendable {
    /// The most that waits to be written, in bytes, unless configured otherwise.
    package static let bufferLimit = 4 << 20
    /// How long the end waits for what is not written yet, unless configured otherwise.
    package static let closingTime = DispatchTimeInterval.seconds(2)

    private struct State {
        var waiting: [UInt8] = []
        var isClosed = false
    }

    private let descriptor: Int32
    private let limit: Int
    private let closingTime: DispatchTimeInterval
    private let state = Mutex(State())
    private let dropped = Atomic<Int>(0)
    private let wakeUp = DispatchSemaphore(value: 0)
    private let end = DispatchSemaphore(value: 0)

    /// Starts the thread, which lives until ``close()``.
    ///
    /// - Parameters:
    ///   - descriptor: Borrowed until the end.
    ///   - limit: Of what waits to be written, in bytes.
    ///   - closingTime: How long ``close()`` waits for what is not written yet.
    /// - Throws: ``Failure``.
    package init(
        descriptor: Int32, limit: Int = LineWriter.bufferLimit,
        closingTime: DispatchTimeInterval = LineWriter.closingTime
    ) throws {
        self.descriptor = descriptor
        self.limit = limit
        self.closingTime = closingTime
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                Unmanaged<LineWriter>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            throw Failure(description: "no thread for a log: \(String(cString: strerror(code)))")
        }
        pthread_detach(thread)
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Lines that were dropped, or could not be written, since the start.
    package var droppedCount: Int { self.dropped.load(ordering: .relaxed) }

    /// - Parameter line: With its end.
    package func write(_ line: String) {
        var line = line
        let isFirst = line.withUTF8 { bytes in
            self.state.withLock { state -> Bool? in
                guard !state.isClosed, state.waiting.count + bytes.count <= self.limit else { return nil }
                defer { state.waiting.append(contentsOf: bytes) }
                return state.waiting.isEmpty
            }
        }
        switch isFirst {
        case true?: self.wakeUp.signal()
        case false?: break
        case nil: self.dropped.add(1, ordering: .relaxed)
        }
    }

    /// Takes no more lines, and writes those that wait, within the time for it.
    package func close() {
        let wasClosed = self.state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed
        }
        guard !wasClosed else { return }
        self.wakeUp.signal()
        _ = self.end.wait(timeout: .now() + self.closingTime)
    }

    private func run() {
        // A reader that has gone is an error to count, not the end of the process.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        while true {
            self.wakeUp.wait()
            let (bytes, isClosed) = self.state.withLock { state in
                defer { state.waiting = [] }
                return (state.waiting, state.isClosed)
            }
            self.writeAll(bytes)
            guard !isClosed else { break }
        }
        self.end.signal()
    }

    private func writeAll(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(self.descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var wait = pollfd(fd: self.descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                self.dropped.add(rest.count { $0 == UInt8(ascii: "\n") }, ordering: .relaxed)
                return
            }
        }
    }
}
