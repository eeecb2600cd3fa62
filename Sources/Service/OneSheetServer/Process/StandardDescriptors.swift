import Glibc

/// Standard input, output and error.
package enum StandardDescriptors {
    /// Opens those that the process was started without, onto nothing: else a socket or a file of ours would get their numbers,
    /// and what is written to standard output or error.
    package static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // The lowest that is free: this one. Without it there is nothing to tell anybody with, and nobody to tell.
            _ = open("/dev/null", O_RDWR)
        }
    }
}
