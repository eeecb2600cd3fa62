import HTTPServer
package import Logging
package import OneSheetConfiguration

extension ServeConfiguration {
    /// The level from which on all loggers write to the process log; can change while the process runs. Default: notice
    static let logThreshold = ReloadableLogLevel(.notice)

    /// Sets up logging of the process; to be called once.
    package func makeLogger() -> Logger {
        let (format, threshold) = (self.logFormat, Self.logThreshold)
        threshold.level = self.logLevel
        LoggingSystem.bootstrap { ServiceLogHandler(label: $0, format: format, threshold: threshold) }
        return Logger(label: "onesheet")
    }
}
