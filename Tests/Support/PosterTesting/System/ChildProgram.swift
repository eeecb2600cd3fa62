import CPosterTesting
import Glibc
import Synchronization

/// A child process that is killed when this object is released.
///
/// Foundation's `Process` crashes in a process with more than 1024 open descriptors, as tests with many connections
/// have.
public final class ChildProgram: Sendable {
    /// The program cannot be started.
    public struct Failure: Error, CustomStringConvertible {
        /// The system's error.
        public let description: String
    }

    /// The process id.
    public let identifier: Int32
    /// The status of `waitpid`; `nil` until the process is reaped.
    private let status = Mutex<Int32?>(nil)

    /// Starts a program without further descriptors and with no signals blocked.
    ///
    /// - Parameters:
    ///   - environment: `nil` for the test's environment.
    ///   - input: A descriptor to read from; `nil` for `/dev/null`, like the others.
    ///   - inherited: The descriptors from 3 on, as systemd passes sockets.
    /// - Throws: ``Failure``.
    public init(
        _ path: String, _ arguments: [String], environment: [String: String]? = nil, input: Int32? = nil,
        output: Int32? = nil, errors: Int32? = nil, inherited: [Int32] = []
    ) throws {
        // Copied above the numbers that they get in the child.
        let copies = inherited.map { poster_copy_above($0, 64) }
        defer { for copy in copies { close(copy) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            } else {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            }
        }
        for (index, copy) in copies.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, copy, STDERR_FILENO + 1 + Int32(index))
        }
        poster_spawn_close_from(&actions, STDERR_FILENO + 1 + Int32(copies.count))
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let strings = ([path] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { $0.map { strdup("\($0.key)=\($0.value)") } + [nil] }
        defer { for string in strings + (variables ?? []) { free(string) } }
        var child = pid_t()
        let code =
            if let variables {
                posix_spawn(&child, path, &actions, &attributes, strings, variables)
            } else {
                posix_spawn(&child, path, &actions, &attributes, strings, environ)
            }
        guard code == 0 else {
            throw Failure(description: "\(path) cannot be started: \(String(cString: strerror(code)))")
        }
        self.identifier = child
    }

    deinit {
        if self.isRunning {
            self.signal(SIGKILL)
            _ = self.wait()
        }
    }

    /// Whether the program still runs.
    public var isRunning: Bool {
        self.status.withLock { status in
            guard status == nil else { return false }
            var code: Int32 = 0
            guard waitpid(self.identifier, &code, WNOHANG) == self.identifier else { return true }
            status = code
            return false
        }
    }

    /// Sends a signal unless the program has ended.
    public func signal(_ number: Int32) {
        self.status.withLock { status in
            if status == nil { kill(self.identifier, number) }
        }
    }

    /// Blocks until the program ends.
    ///
    /// - Returns: The exit status, or the number of the signal that ended it.
    public func wait() -> Int32 {
        // The process id stays valid until the process is reaped, and signals are sent under the same lock.
        var information = siginfo_t()
        while waitid(P_PID, id_t(self.identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let status = self.status.withLock { status in
            if status == nil {
                var code: Int32 = 0
                while waitpid(self.identifier, &code, 0) < 0, errno == EINTR {}
                status = code
            }
            return status ?? 0
        }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : signal
    }
}

/// A pipe for a program's output.
public final class OutputPipe: Sendable {
    private let reading: Int32
    private let writing: Mutex<Int32>

    /// Creates a pipe.
    /// - Throws: ``ChildProgram/Failure``.
    public init() throws {
        var (reading, writing): (Int32, Int32) = (-1, -1)
        let code = poster_pipe(&reading, &writing)
        guard code == 0 else { throw ChildProgram.Failure(description: "no pipe: \(String(cString: strerror(code)))") }
        self.reading = reading
        self.writing = Mutex(writing)
    }

    deinit {
        close(self.reading)
        self.closeWriting()
    }

    /// The reading end, for a program that exits at the end of its input.
    public var readingDescriptor: Int32 { self.reading }

    /// The writing end.
    public var descriptor: Int32 { self.writing.withLock { $0 } }

    /// Closes the writing end. Call it after the program has started, so that reading ends with the program.
    public func closeWriting() {
        self.writing.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    /// Blocks until there is output or the end of the stream.
    ///
    /// - Returns: The output; empty at the end.
    public func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var count = Glibc.read(self.reading, &bytes, bytes.count)
        while count < 0, errno == EINTR { count = Glibc.read(self.reading, &bytes, bytes.count) }
        return Array(bytes.prefix(max(0, count)))
    }

    /// Blocks until the end of the stream.
    public func readAll() -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let part = self.read()
            guard !part.isEmpty else { return all }
            all += part
        }
    }
}
