import FoundationEssentials

extension Server {
    /// thumbor with file storages for originals and results and one process per core; it fetches originals from
    /// `origin`.
    ///
    /// - Returns: `nil` if thumbor is not installed.
    static func thumbor(origin: Server, in folder: String) throws(BenchError) -> Server? {
        guard let program = Executable.path(of: "thumbor") else { return nil }
        let port = try Self.freePort()
        let file = "\(folder)/thumbor.conf"
        let configuration = """
            ALLOW_UNSAFE_URL = True
            STORAGE = 'thumbor.storages.file_storage'
            FILE_STORAGE_ROOT_PATH = '\(folder)/thumbor-originals'
            STORAGE_EXPIRATION_SECONDS = 86400
            RESULT_STORAGE = 'thumbor.result_storages.file_storage'
            RESULT_STORAGE_FILE_STORAGE_ROOT_PATH = '\(folder)/thumbor-results'
            RESULT_STORAGE_STORES_UNSAFE = True
            RESULT_STORAGE_EXPIRATION_SECONDS = 86400

            """
        do {
            try Data(configuration.utf8).write(to: URL(filePath: file))
        } catch {
            throw BenchError("cannot write \(file): \(error)")
        }
        let process = try RunningProcess(
            [program, "-i", "127.0.0.1", "-p", "\(port)", "-c", file, "-l", "error", "--processes", "0"],
            log: "\(folder)/thumbor.log")
        try Self.waitUntilOpen(port, process)
        return Server(name: "thumbor", port: port, process: process) { [port = origin.port] id, width, quality in
            // The service's default quality if none is given.
            "/unsafe/\(width)x0/filters:quality(\(quality ?? "82"))/http%3A%2F%2F127.0.0.1%3A\(port)%2Fposter%2F\(id)"
        }
    }
}
