import Glibc

/// Runs another program.
enum Command {
    /// Runs a program until it ends, with standard error discarded.
    ///
    /// - Returns: Its standard output; `nil` if it cannot be started or does not exit with 0.
    static func output(_ words: [String]) -> String? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        var child = pid_t()
        let code = posix_spawnp(&child, words[0], &actions, nil, pointers, environ)
        close(ends[1])
        guard code == 0, let output = fdopen(ends[0], "r") else {
            close(ends[0])
            return nil
        }
        let text = TextFile.read(output)
        fclose(output)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0 ? text : nil
    }
}
