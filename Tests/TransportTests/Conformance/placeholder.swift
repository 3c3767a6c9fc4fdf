// Grows with the transports.
