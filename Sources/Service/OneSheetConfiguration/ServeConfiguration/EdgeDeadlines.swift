/// How long clients may take.
package struct EdgeDeadlines: Sendable {
    /// For the head of a request, from its first byte.
    package var header = Duration.seconds(10)
    /// To take what was written to them.
    package var send = Duration.seconds(60)
    /// Between requests.
    package var idle = Duration.seconds(60)
    /// To be answered when the server is asked to stop.
    package var stop = Duration.seconds(30)

    /// - Throws: ``SettingError``.
    init(_ settings: Settings) throws {
        if let value = try settings.seconds("header-timeout", in: 0.1...3600) { self.header = value }
        if let value = try settings.seconds("send-timeout", in: 0.1...3600) { self.send = value }
        if let value = try settings.seconds("idle-timeout", in: 0.1...3600) { self.idle = value }
        if let value = try settings.seconds("stop-timeout", in: 0...3600) { self.stop = value }
    }
}
