import Glibc
import PosterOrigins
import PosterPipeline

/// The output of a command.
enum StandardOutput {
    /// - Throws: ``FileError`` when the line cannot be written.
    static func write(_ line: String) throws {
        try AtomicFile.append(Array((line + "\n").utf8), to: STDOUT_FILENO, named: "standard output")
    }
}

/// Diagnostic messages.
enum StandardError {
    static func write(_ line: String) {
        var text = line + "\n"
        // A failure to write a diagnostic cannot be reported.
        _ = text.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// The size of the terminal of standard output.
enum TerminalSize {
    /// Columns; nil when standard output is no terminal.
    static var columns: Int? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}

/// Formats numbers for tables.
enum NumberText {
    /// With commas between thousands.
    static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        let groups = stride(from: digits.count, to: 0, by: -3).map { end in
            digits.dropLast(digits.count - end).suffix(3)
        }
        return (number < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
    }

    /// With one digit after the point.
    static func oneDigit(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}
