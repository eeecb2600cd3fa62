package import HTTPFetch
package import HTTPServer
package import OneSheetConfiguration

/// The checks of `onesheet doctor`, which change nothing: the service may be running.
package struct Doctor {
    private let settings: Settings
    private let configuration: ServeConfiguration
    private let fetcher: Fetcher
    private let serverName: @Sendable (ListenAddress) async -> String?

    /// - Parameter serverName: Returns the `Server` field of a server at an address; `nil` if it does not answer.
    /// - Throws: `FetchError` if libcurl cannot be started.
    package init(
        _ settings: Settings, _ configuration: ServeConfiguration,
        serverName: @escaping @Sendable (ListenAddress) async -> String?
    ) throws(FetchError) {
        self.settings = settings
        self.configuration = configuration
        self.fetcher = try Fetcher(configuration: OriginProbe.limits(configuration.fetch))
        self.serverName = serverName
    }

    package var checks: ServiceChecks {
        let configuration = self.configuration
        let probe = OriginProbe(fetcher: self.fetcher)
        var checks = [SettingsCheck(settings: self.settings, configuration: configuration).check]
        checks +=
            PortCheck(
                listening: configuration.listening, dataDirectory: configuration.dataDirectory,
                serverName: self.serverName
            ).checks
        checks.append(ProxyCheck(configuration: configuration).check)
        // Counting files would slow down the measured writes.
        checks += FolderCheck(configuration).check.followed(by: DiskCheck(path: configuration.dataDirectory).check)
        checks += [
            LimitChecks(configuration: configuration).check,
            ClockCheck(configuration: configuration, probe: probe).check,
        ]
        checks += SourceChecks(settings: configuration.sources, fetcher: self.fetcher).checks
        checks += OriginChecks(configuration: configuration, probe: probe).checks
        checks += SharedChecks(configuration: configuration).checks
        return ServiceChecks(checks)
    }
}
