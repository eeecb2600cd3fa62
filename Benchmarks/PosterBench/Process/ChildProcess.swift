import Glibc

/// Runs this program in another process.
enum ChildProcess {
    /// Runs the child until it ends.
    ///
    /// - Returns: Its standard output; standard error is inherited.
    static func run(_ arguments: [String]) throws(BenchError) -> String {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BenchError("cannot make a pipe: \(Self.reason(errno))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)

        let words = ["poster-bench"] + arguments
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        var child = pid_t()
        let code = posix_spawn(&child, "/proc/self/exe", &actions, nil, pointers, environ)
        close(ends[1])
        guard code == 0, let output = fdopen(ends[0], "r") else {
            close(ends[0])
            throw BenchError("cannot start a child process: \(Self.reason(code))")
        }
        let text = TextFile.read(output)
        fclose(output)

        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw BenchError("the child process failed: \(words.joined(separator: " "))") }
        return text
    }

    private static func reason(_ code: Int32) -> String {
        String(cString: strerror(code))
    }
}
