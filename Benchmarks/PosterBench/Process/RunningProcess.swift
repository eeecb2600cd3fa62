import CPosterBench
import FoundationEssentials
import Glibc

/// A running program, which ends with this process for any reason.
///
/// Its output goes to a file. For the main thread only: the kernel ends children with the thread that started them.
final class RunningProcess {
    let id: pid_t
    /// The file with its standard output and standard error.
    let log: String
    private let name: String
    private var status: Int32?

    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - log: The file for its output.
    ///   - farewell: The signal that it receives when this process ends; SIGTERM for programs that have to end their
    ///     own children.
    init(_ words: [String], log: String, farewell: Int32 = SIGKILL) throws(BenchError) {
        self.name = words[0].split(separator: "/").last.map(String.init) ?? words[0]
        self.log = log
        let output = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw BenchError("cannot write \(log): \(String(cString: strerror(errno)))") }
        defer { close(output) }
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        var child = pid_t()
        let code = poster_bench_spawn(pointers, output, farewell, &child)
        guard code == 0 else { throw BenchError("cannot start \(words[0]): \(String(cString: strerror(code)))") }
        self.id = child
    }

    deinit {
        self.stop()
    }

    /// Its output so far.
    var text: String {
        (try? String(contentsOfFile: self.log, encoding: .utf8)) ?? ""
    }

    var isRunning: Bool {
        guard self.status == nil else { return false }
        var status: Int32 = 0
        guard waitpid(self.id, &status, WNOHANG) == self.id else { return true }
        self.status = status
        return false
    }

    /// Waits until the program ends.
    ///
    /// - Throws: ``BenchError`` with its output if it fails, or if this process is interrupted.
    func wait() throws(BenchError) {
        var status: Int32 = 0
        while self.status == nil {
            try Interruption.check()
            if waitpid(self.id, &status, 0) == self.id { self.status = status }
        }
        guard self.status == 0 else { throw self.failure("failed") }
    }

    /// Waits for at most 20 seconds until `isReady` returns a value.
    func wait<Value>(until isReady: () -> Value?) throws(BenchError) -> Value {
        for _ in 0..<1000 {
            if let value = isReady() { return value }
            guard self.isRunning else { throw self.failure("ended at once") }
            try Interruption.sleep(milliseconds: 20)
        }
        throw self.failure("does not answer")
    }

    /// Terminates the process group, and kills all that remains of it after two seconds.
    func stop() {
        guard self.status == nil else { return }
        kill(-self.id, SIGTERM)
        let end = Clock.now() + 2_000_000_000
        while self.isRunning, Clock.now() < end { usleep(5_000) }
        kill(-self.id, SIGKILL)
        var status: Int32 = 0
        while self.status == nil {
            if waitpid(self.id, &status, 0) == self.id || errno != EINTR { self.status = status }
        }
    }

    private func failure(_ what: String) -> BenchError {
        let words = self.text.split(separator: "\n").suffix(5).joined(separator: "\n")
        return BenchError("\(self.name) \(what)\(words.isEmpty ? "" : ":\n\(words)")")
    }
}
