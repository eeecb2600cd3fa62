package import Dispatch
import Glibc
import Synchronization

/// Writes lines to a descriptor from its own thread, so that a caller never waits for the reader.
///
/// Lines that exceed ``bufferLimit`` waiting bytes are dropped and counted.
package final class LineWriter: Sendable {
    /// Default limit of bytes waiting to be written.
    package static let bufferLimit = 4 << 20
    /// Default time that ``close()`` waits for pending lines.
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

    /// Starts the thread, which runs until ``close()``.
    ///
    /// - Parameters:
    ///   - descriptor: Borrowed until the thread ends.
    ///   - limit: Maximum number of bytes waiting to be written.
    ///   - closingTime: How long ``close()`` waits for pending lines.
    /// - Throws: ``Failure`` if the thread cannot be started.
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
            throw Failure(description: "cannot start a thread for a log: \(String(cString: strerror(code)))")
        }
        pthread_detach(thread)
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Number of lines dropped, or not written because of an error, since the start.
    package var droppedCount: Int { self.dropped.load(ordering: .relaxed) }

    /// - Parameter line: Includes its line break.
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

    /// Rejects further lines, and waits for the pending ones for at most the closing time.
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
        // A closed reader is an error to count, not the end of the process.
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
