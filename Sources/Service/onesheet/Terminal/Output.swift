import Glibc
import PosterOrigins
import PosterPipeline

/// Lines that are the result of a command.
enum StandardOutput {
    /// - Throws: ``FileError`` when nobody could read the line.
    static func write(_ line: String) throws {
        try AtomicFile.append(Array((line + "\n").utf8), to: STDOUT_FILENO, named: "standard output")
    }
}

/// Lines for people who watch for trouble.
enum StandardError {
    static func write(_ line: String) {
        var text = line + "\n"
        // A failure to complain has nobody left to complain to.
        _ = text.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
