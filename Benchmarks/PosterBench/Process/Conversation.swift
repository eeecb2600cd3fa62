import Glibc

/// Another program that answers each line with a line. It ends with its standard input.
final class Conversation {
    private let id: pid_t
    private let input: UnsafeMutablePointer<FILE>
    private let output: UnsafeMutablePointer<FILE>
    private let name: String

    /// - Parameter words: The program, searched for in PATH, and its arguments. Standard error is inherited.
    init(_ words: [String]) throws(BenchError) {
        self.name = words.joined(separator: " ")
        // Pipes for the program's standard input and output.
        var (question, answer): ([Int32], [Int32]) = ([0, 0], [0, 0])
        guard pipe(&question) == 0, pipe(&answer) == 0 else { throw BenchError("cannot make a pipe") }
        for end in question + answer { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, question[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, answer[1], STDOUT_FILENO)
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        var child = pid_t()
        let code = posix_spawnp(&child, words[0], &actions, nil, pointers, environ)
        close(question[0])
        close(answer[1])
        guard code == 0, let input = fdopen(question[1], "w"), let output = fdopen(answer[0], "r") else {
            close(question[1])
            close(answer[0])
            throw BenchError("cannot start \(words[0]): \(String(cString: strerror(code)))")
        }
        // A write to a program that has ended must not end this process; the missing answer reveals it.
        signal(SIGPIPE, SIG_IGN)
        (self.id, self.input, self.output) = (child, input, output)
    }

    deinit {
        fclose(self.input)
        fclose(self.output)
        var status: Int32 = 0
        while waitpid(self.id, &status, 0) < 0, errno == EINTR {}
    }

    func say(_ line: String) {
        fputs(line + "\n", self.input)
        fflush(self.input)
    }

    func listen() throws(BenchError) -> String {
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        let count = getline(&line, &capacity, self.output)
        guard count > 0, let line else { throw BenchError("\(self.name) ended before it answered") }
        return String(decoding: UnsafeRawBufferPointer(start: line, count: count), as: UTF8.self)
    }
}
