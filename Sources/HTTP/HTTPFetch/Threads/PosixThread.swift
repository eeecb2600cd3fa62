import CPosterCurl
import Glibc
import Synchronization

/// The thread that a ``FetchLoop`` runs on.
///
/// Whoever makes it joins it.
final class FetchThread: Sendable {
    private let thread: pthread_t
    private let isJoined = Mutex(false)

    /// Starts the thread.
    ///
    /// - Throws: ``FetchError/failed(code:_:)`` with an `errno`.
    init(_ makeLoop: @escaping @Sendable () -> FetchLoop) throws(FetchError) {
        let context = Unmanaged.passRetained(LoopMaker(makeLoop))
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            nil,
            { context in
                let maker = Unmanaged<LoopMaker>.fromOpaque(context!).takeRetainedValue()
                poster_curl_name_thread("http-fetch")
                FetchThread.ignoreBrokenPipes()
                maker.makeLoop().run()
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
        // Only when the last reference went away on the thread itself, which cannot join itself.
        self.isJoined.withLock { if !$0 { pthread_detach(self.thread) } }
    }

    /// Waits for the thread's end.
    ///
    /// Any number of callers may do so at once; the thread itself returns immediately.
    func join() {
        guard pthread_equal(pthread_self(), self.thread) == 0 else { return }
        // Joining under the lock is what makes a second caller wait for the end too. The thread never takes it.
        self.isJoined.withLock { isJoined in
            if !isJoined { pthread_join(self.thread, nil) }
            isJoined = true
        }
    }

    /// For the calling thread. With CURLOPT_NOSIGNAL libcurl leaves SIGPIPE alone, and OpenSSL may write to a connection
    /// that is gone; so may a resolver.
    static func ignoreBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private final class LoopMaker: Sendable {
        let makeLoop: @Sendable () -> FetchLoop

        init(_ makeLoop: @escaping @Sendable () -> FetchLoop) {
            self.makeLoop = makeLoop
        }
    }
}
