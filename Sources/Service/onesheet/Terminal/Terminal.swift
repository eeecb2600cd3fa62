import ArgumentParser
import Glibc
import PosterOrigins
import PosterPipeline

enum StandardOutput {
    /// The exit status after the reader of standard output has closed it: a shell's for `SIGPIPE`.
    static let closedStatus = 128 + SIGPIPE

    static func write(_ line: String) throws {
        try self.write(bytes: Array((line + "\n").utf8))
    }

    /// Ends the process without a message if the reader has closed the pipe, as the signal does where it is not ignored.
    static func write(bytes: [UInt8]) throws(FileError) {
        do throws(FileError) {
            try AtomicFile.append(bytes, to: STDOUT_FILENO, named: "standard output")
        } catch {
            guard error.code != EPIPE else { exit(self.closedStatus) }
            throw error
        }
    }
}

enum StandardError {
    static func write(_ line: String, terminator: String = "\n") {
        var text = line + terminator
        // A failure to write a diagnostic cannot be reported.
        _ = text.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Writes the reason of a failure, and returns the error to throw.
    static func failure(_ reason: String, _ code: ExitCode = .failure) -> ExitCode {
        self.write("onesheet: \(reason)")
        return code
    }
}

enum TerminalSize {
    /// The number of columns; `nil` if standard output is no terminal.
    static var columns: Int? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}

enum NumberText {
    /// Formats a number with commas between thousands.
    static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        let groups = stride(from: digits.count, to: 0, by: -3).map { end in
            digits.dropLast(digits.count - end).suffix(3)
        }
        return (number < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
    }

    /// Formats a number with one decimal.
    static func oneDigit(_ number: Double) -> String {
        let tenths = Int((min(max(number, -1e15), 1e15) * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}

extension ArgumentHelp {
    static let jsonResult: ArgumentHelp = "The result as one JSON object on one line."
}
