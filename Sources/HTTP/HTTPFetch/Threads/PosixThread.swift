import CPosterCurl
import Glibc
import Synchronization

/// A POSIX thread for blocking work. Detached if it is released without having been joined.
final class PosixThread: Sendable {
    private let thread: pthread_t
    private let isJoined = Mutex(false)

    /// Starts the thread.
    /// - Parameter name: For debuggers and `/proc`; at most 15 bytes.
    /// - Throws: ``FetchError/failed(code:_:)`` with an `errno`.
    init(name: StaticString, _ body: @escaping @Sendable () -> Void) throws(FetchError) {
        let context = Unmanaged.passRetained(
            Start {
                poster_curl_name_thread(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))
                PosixThread.blockBrokenPipeSignals()
                body()
            })
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                Unmanaged<Start>.fromOpaque(context!).takeRetainedValue().body()
                return nil
            },
            context.toOpaque()
        )
        guard code == 0 else {
            context.release()
            throw .failed(code: code, "pthread_create")
        }
        self.thread = thread
    }

    deinit {
        self.isJoined.withLock { if !$0 { pthread_detach(self.thread) } }
    }

    /// Waits for the thread to end. Safe to call concurrently; on the thread itself it returns immediately.
    func join() {
        guard pthread_equal(pthread_self(), self.thread) == 0 else { return }
        // Joining under the lock makes a second caller wait for the end too. The thread itself never takes the lock.
        self.isJoined.withLock { isJoined in
            if !isJoined { pthread_join(self.thread, nil) }
            isJoined = true
        }
    }

    /// Blocks `SIGPIPE` on the calling thread: with CURLOPT_NOSIGNAL libcurl does not handle it, and OpenSSL or a
    /// resolver may write to a closed connection.
    private static func blockBrokenPipeSignals() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private final class Start: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
