extension Server {
    /// Waits until the server uses less than 3 ms of CPU time in 100 ms, for at most ten seconds.
    func waitUntilIdle() throws(BenchError) {
        var last = try ProcessUsage(of: self.process.id).cpuSeconds
        for _ in 0..<100 {
            try Interruption.sleep(milliseconds: 100)
            let now = try ProcessUsage(of: self.process.id).cpuSeconds
            if now - last < 0.003 { return }
            last = now
        }
    }
}
