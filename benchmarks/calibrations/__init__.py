"""Parts of the calibration of confidence."""
