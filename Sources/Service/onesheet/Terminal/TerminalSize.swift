import Glibc

/// The terminal that standard output is shown on.
enum TerminalSize {
    /// Cells of a line; nil when there is no terminal.
    static var columns: Int? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}
